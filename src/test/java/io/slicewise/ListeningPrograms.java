package io.slicewise;

import java.util.ArrayList;
import java.util.List;

/**
 * Programs that heed signals, also where the tests were started with {@code nohup} or in the
 * background.
 */
public final class ListeningPrograms {
  private ListeningPrograms() {}

  /** The command with an interrupt's and a hang-up's defaults, as a session of sshd starts it. */
  public static List<String> words(List<String> command) {
    List<String> words = new ArrayList<>(List.of("env", "--default-signal=HUP,INT"));
    words.addAll(command);
    return words;
  }
}
