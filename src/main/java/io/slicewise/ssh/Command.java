package io.slicewise.ssh;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A command for a {@link RemoteShell}: words, never a line, so that no name can smuggle anything
 * in.
 *
 * @param words the program and its arguments, as the program shall see them
 * @param timeout after which the command is given up
 * @param effect whether the command may be repeated after a lost connection
 */
public record Command(List<String> words, Duration timeout, Effect effect) {
  /** Whether a command changes the machine it runs on. */
  public enum Effect {
    READS,
    CHANGES
  }

  public Command {
    words = List.copyOf(words);
    if (words.isEmpty()) {
      throw new IllegalArgumentException("a command needs a program");
    }
    if (words.stream().anyMatch(word -> word.indexOf('\0') >= 0)) {
      throw new IllegalArgumentException("a command's word cannot hold a NUL character");
    }
  }

  /** A command that only reads, with the default timeout of 30 s. */
  public static Command reading(String... words) {
    return new Command(List.of(words), Duration.ofSeconds(30), Effect.READS);
  }

  /** A command that changes something, with the default timeout of 30 s. */
  public static Command changing(String... words) {
    return new Command(List.of(words), Duration.ofSeconds(30), Effect.CHANGES);
  }

  public Command within(Duration limit) {
    return new Command(words, limit, effect);
  }

  /** The line a POSIX shell splits back into exactly these words. */
  public String quoted() {
    return words.stream().map(Command::quote).collect(Collectors.joining(" "));
  }

  private static String quote(String word) {
    boolean plain =
        !word.isEmpty()
            && word.chars()
                .allMatch(
                    c -> c < 128 && (Character.isLetterOrDigit(c) || "-_./:,@+%".indexOf(c) >= 0));
    return plain ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
