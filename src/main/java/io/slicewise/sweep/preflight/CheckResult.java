package io.slicewise.sweep.preflight;

/**
 * What one check found.
 *
 * @param subject what was looked at, in a word or two
 * @param sentence what is so
 * @param wayOut what to do about it; empty when all is well
 */
public record CheckResult(Level level, String subject, String sentence, String wayOut) {
  /** How bad it is. */
  public enum Level {
    OK,
    WARNING,
    BLOCKING
  }

  static CheckResult ok(String subject, String sentence) {
    return new CheckResult(Level.OK, subject, sentence, "");
  }

  static CheckResult warning(String subject, String sentence, String wayOut) {
    return new CheckResult(Level.WARNING, subject, sentence, wayOut);
  }

  static CheckResult blocking(String subject, String sentence, String wayOut) {
    return new CheckResult(Level.BLOCKING, subject, sentence, wayOut);
  }
}
