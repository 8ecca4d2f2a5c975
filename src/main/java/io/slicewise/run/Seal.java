package io.slicewise.run;

import io.slicewise.base.units.Sha256;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A checksum in the last property of a JSON object: the first 64 bits of the SHA-256 of all text
 * before that property. It reveals damage and is not a signature.
 */
final class Seal {
  /** The sum before the first line of a journal. */
  static final String NONE = "0".repeat(16);

  private static final int BYTES = 8;
  private static final Pattern SEALED =
      Pattern.compile("(?s)(.*?)(\\s*,\\s*\"sum\"\\s*:\\s*\"([0-9a-f]{16})\"\\s*}\\s*)");
  private static final Pattern LAST_SUM = Pattern.compile(",\\s*\"sum\"");

  private Seal() {}

  /** Returns the checksum of a text. */
  static String sum(String text) {
    return HexFormat.of().formatHex(Sha256.of(text), 0, BYTES);
  }

  /** Returns a JSON object on one line with its checksum. */
  static String line(String object) {
    String open = object.substring(0, object.length() - 1);
    return "%s,\"sum\":\"%s\"}".formatted(open, sum(open));
  }

  /**
   * Returns an indented JSON object with additional properties and its checksum.
   *
   * @param properties JSON text such as {@code "run" : "1f"}; may be empty
   */
  static String indented(String object, String properties) {
    String body = object.stripTrailing();
    String open = body.substring(0, body.length() - 1).stripTrailing();
    String all = properties.isEmpty() ? open : open + ",\n  " + properties;
    return "%s,\n  \"sum\" : \"%s\"\n}".formatted(all, sum(all));
  }

  /** Returns a text with a checksum after a change of the rest, with its new checksum. */
  static String resealed(String text, UnaryOperator<String> change) {
    int at = last(text);
    if (at < 0) {
      return change.apply(text);
    }
    String body = change.apply(text.substring(0, at));
    Matcher seal = SEALED.matcher(text.substring(at));
    return seal.matches()
        ? body + seal.group(2).replace(seal.group(3), sum(body))
        : change.apply(text);
  }

  /** The result of verifying a checksum. */
  enum State {
    SOUND,
    ALTERED,
    /** There is none: an older version wrote the text. */
    UNSEALED
  }

  /**
   * The result of reading a text.
   *
   * @param sum empty unless the text is valid
   */
  record Read(State state, Optional<String> sum) {}

  /** Verifies a text that may contain a checksum. */
  static Read verify(String text) {
    int at = last(text);
    if (at < 0) {
      return new Read(State.UNSEALED, Optional.empty());
    }
    Matcher seal = SEALED.matcher(text.substring(at));
    boolean sound = seal.matches() && seal.group(3).equals(sum(text.substring(0, at)));
    return sound
        ? new Read(State.SOUND, Optional.of(seal.group(3)))
        : new Read(State.ALTERED, Optional.empty());
  }

  private static int last(String text) {
    Matcher found = LAST_SUM.matcher(text);
    int at = -1;
    while (found.find()) {
      at = found.start();
    }
    return at;
  }
}
