package io.slicewise.sweep.preflight;

/**
 * The result of one check.
 *
 * @param subject what was checked, in a word or two
 * @param sentence the finding
 * @param wayOut what to do about it; empty if all is well
 */
public record CheckResult(Level level, String subject, String sentence, String wayOut) {
  /** The severity. */
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
