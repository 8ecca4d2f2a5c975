package io.slicewise.preflight;

/**
 * What one check found.
 *
 * @param subject what was looked at, in a word or two
 * @param sentence what is so
 * @param wayOut what to do about it; empty when all is well
 */
public record Finding(Level level, String subject, String sentence, String wayOut) {
  /** How bad it is. */
  public enum Level {
    OK,
    WARNING,
    BLOCKING
  }

  static Finding ok(String subject, String sentence) {
    return new Finding(Level.OK, subject, sentence, "");
  }

  static Finding warning(String subject, String sentence, String wayOut) {
    return new Finding(Level.WARNING, subject, sentence, wayOut);
  }

  static Finding blocking(String subject, String sentence, String wayOut) {
    return new Finding(Level.BLOCKING, subject, sentence, wayOut);
  }
}
