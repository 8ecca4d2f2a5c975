package io.slicewise.ssh;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A command for a {@link RemoteShell}, as a list of words and not a line, so that names cannot
 * inject shell syntax.
 *
 * @param words the program and its arguments, as the program receives them
 * @param limit after which the command is stopped; empty for the shell's default
 * @param effect whether the command may be repeated after a lost connection
 */
public record Command(List<String> words, Optional<Duration> limit, Effect effect) {
  /** The default limit of a shell. */
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
      throw new IllegalArgumentException("a word of a command cannot contain a NUL character");
    }
  }

  public Command(List<String> words, Duration limit, Effect effect) {
    this(words, Optional.of(limit), effect);
  }

  /** Returns a command that only reads, with the shell's limit. */
  public static Command reading(String... words) {
    return reading(List.of(words));
  }

  public static Command reading(List<String> words) {
    return new Command(words, Optional.empty(), Effect.READS);
  }

  /** Returns a command that changes something, with the shell's limit. */
  public static Command changing(String... words) {
    return changing(List.of(words));
  }

  public static Command changing(List<String> words) {
    return new Command(words, Optional.empty(), Effect.CHANGES);
  }

  /** Returns the command of the program that these words call with the words of this one. */
  public Command behind(List<String> prefix) {
    return new Command(Stream.concat(prefix.stream(), words.stream()).toList(), limit, effect);
  }

  /** Returns the same command through {@code sudo -n}, if that is needed. */
  public Command throughSudo(boolean needed) {
    return needed ? behind(List.of("sudo", "-n")) : this;
  }

  public Command within(Duration limit) {
    return new Command(words, Optional.of(limit), effect);
  }

  /** Returns the same command with a default limit, unless it has its own. */
  Command orWithin(Duration usual) {
    return limit.isPresent() ? this : within(usual);
  }

  /** The time after which the command is stopped. */
  public Duration timeout() {
    return limit.orElse(USUAL);
  }

  /** The command for messages, without scripts. */
  public String shown() {
    return words.stream()
        .map(
            word -> word.length() > LONGEST_SHOWN_WORD || word.contains("\n") ? "'…'" : quote(word))
        .collect(Collectors.joining(" "));
  }

  /** The command as a line that a POSIX shell splits into exactly these words. */
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
