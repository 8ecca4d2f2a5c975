package io.slicewise.load.access;

import java.util.Optional;

/**
 * One request of an access log. Times are by the clock of the machine that wrote the log.
 *
 * @param startMicros since 1970: when the request began
 * @param durationMicros from there to the end of the answer, as the server counts it
 * @param upstreamMicros of it, those of the servers behind; -1 if the line does not contain them
 * @param status 0 if none was sent
 * @param path as written in the line, with the query; cut after {@value #LONGEST_PATH} characters
 * @param bytes of the answer
 * @param aborted whether the client left before the answer was complete, as far as the server
 *     noticed
 */
public record Request(
    long startMicros,
    long durationMicros,
    long upstreamMicros,
    int status,
    String method,
    String host,
    String path,
    long bytes,
    boolean aborted) {
  static final int LONGEST_PATH = 2048;

  private static final long SECOND = 1_000_000;

  /** The fewest requests that do not all end at a whole second by chance. */
  private static final long FEWEST = 20;

  /** Returns whether its time in the line, of its beginning or end, is a whole second. */
  boolean isWholeSecond() {
    return startMicros % SECOND == 0 || endMicros() % SECOND == 0;
  }

  /** Returns what to know of a log whose times are whole seconds; empty if they are not. */
  static Optional<String> wholeSeconds(long whole, long all) {
    return all < FEWEST || whole < all
        ? Optional.empty()
        : Optional.of(
            "times in the log are whole seconds, so that requests of up to 1 s at each border of a"
                + " window may count under other settings: log milliseconds, as nginx's $msec");
  }

  public long endMicros() {
    return startMicros + durationMicros;
  }
}
