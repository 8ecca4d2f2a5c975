package io.slicewise.ssh;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A command for a {@link RemoteShell}: words, never a line, so that no name can smuggle anything
 * in.
 *
 * @param words the program and its arguments, as the program shall see them
 * @param limit after which the command is given up; empty for what its shell allows
 * @param effect whether the command may be repeated after a lost connection
 */
public record Command(List<String> words, Optional<Duration> limit, Effect effect) {
  /** What a shell allows where nobody set its limit. */
  private static final Duration USUAL = Duration.ofMinutes(2);

  private static final int LONGEST_SHOWN_WORD = 80;

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

  public Command(List<String> words, Duration limit, Effect effect) {
    this(words, Optional.of(limit), effect);
  }

  /** A command that only reads, within what its shell allows. */
  public static Command reading(String... words) {
    return new Command(List.of(words), Optional.empty(), Effect.READS);
  }

  /** A command that changes something, within what its shell allows. */
  public static Command changing(String... words) {
    return new Command(List.of(words), Optional.empty(), Effect.CHANGES);
  }

  public Command within(Duration limit) {
    return new Command(words, Optional.of(limit), effect);
  }

  /** The same with that limit, unless it has one of its own. */
  Command orWithin(Duration usual) {
    return limit.isPresent() ? this : within(usual);
  }

  /** After how long the command is given up. */
  public Duration timeout() {
    return limit.orElse(USUAL);
  }

  /** The command as a message names it: without the scripts among its words. */
  public String shown() {
    return words.stream()
        .map(
            word -> word.length() > LONGEST_SHOWN_WORD || word.contains("\n") ? "'…'" : quote(word))
        .collect(Collectors.joining(" "));
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
