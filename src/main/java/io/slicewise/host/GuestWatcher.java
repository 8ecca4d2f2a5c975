package io.slicewise.host;

import java.util.List;
import java.util.Map;

/** A program of a host that prints what happens to its guests until a signal ends it. */
public interface GuestWatcher {
  /** The name of the program, for messages. */
  String name();

  /** The program with its arguments. */
  List<String> words();

  /** The signal at which it ends and prints what it has not printed yet. */
  default String signal() {
    return "TERM";
  }

  /** Returns a clause for each of these guests to which something happened, by name. */
  Map<String, String> changes(String printed, List<Domain> domains);
}
