package io.slicewise.load.access;

import io.slicewise.base.units.Window;
import java.time.Duration;
import java.util.List;

/**
 * What a log contains of a window: the requests that started in it.
 *
 * @param unfinishedBefore requests of the window before that ended only after it was read
 * @param leftOut requests that do not count, by the selection
 * @param unread lines that were not understood, with an example
 * @param lateness the longest time between a request's end and its line's arrival
 * @param ahead the log's clock against this machine's
 * @param bound of the error of that
 * @param faults why it may be incomplete, in clauses; empty if it is complete
 */
public record LoggedWindow(
    List<Seen> requests,
    long unfinishedBefore,
    long leftOut,
    long unread,
    String example,
    Duration lateness,
    Duration ahead,
    Duration bound,
    List<String> faults) {
  public LoggedWindow {
    requests = List.copyOf(requests);
    faults = List.copyOf(faults);
  }

  /** Returns the part of it that started in a window inside it. */
  public LoggedWindow in(Window window) {
    return new LoggedWindow(
        requests.stream().filter(seen -> seen.startedIn(window)).toList(),
        unfinishedBefore,
        leftOut,
        unread,
        example,
        lateness,
        ahead,
        bound,
        faults);
  }
}
