package io.slicewise.run.journal;

import io.slicewise.base.units.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A checksum in the last property of a JSON object: the first 64 bits of the SHA-256 of all text
 * before that property. It reveals damage and is not a signature.
 */
public final class Seal {
  /** The sum before the first line of a journal. */
  public static final String NONE = "0".repeat(16);

  private static final int BYTES = 8;

  /** More bytes than a checksum with its property and the end of the object. */
  private static final int LONGEST = 128;

  private static final Pattern END =
      Pattern.compile("\\s*,\\s*\"sum\"\\s*:\\s*\"([0-9a-f]{16})\"\\s*}\\s*$");

  private Seal() {}

  /** Returns the checksum of a text. */
  public static String sum(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return sum(bytes, bytes.length);
  }

  private static String sum(byte[] bytes, int length) {
    MessageDigest digest = Sha256.begin();
    digest.update(bytes, 0, length);
    return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
  }

  /** Returns a JSON object on one line with its checksum. */
  public static String line(String object) {
    String open = object.substring(0, object.length() - 1);
    return "%s,\"sum\":\"%s\"}".formatted(open, sum(open));
  }

  /**
   * Returns an indented JSON object with additional properties and its checksum.
   *
   * @param properties JSON text such as {@code "run" : "1f"}; may be empty
   */
  public static String indented(String object, String properties) {
    String body = object.stripTrailing();
    String open = body.substring(0, body.length() - 1).stripTrailing();
    String all = properties.isEmpty() ? open : open + ",\n  " + properties;
    return "%s,\n  \"sum\" : \"%s\"\n}".formatted(all, sum(all));
  }

  /** Returns a text with a checksum after a change of the rest, with its new checksum. */
  public static String resealed(String text, UnaryOperator<String> change) {
    Matcher seal = END.matcher(text);
    if (!seal.find()) {
      return change.apply(text);
    }
    String body = change.apply(text.substring(0, seal.start()));
    return body + seal.group().replace(seal.group(1), sum(body));
  }

  /** Returns the checksum of a text; empty if it has none, or was altered since. */
  public static Optional<String> verify(String text) {
    return verify(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the checksum of a text in UTF-8; empty if it has none, or was altered since. */
  public static Optional<String> verify(byte[] text) {
    int from = Math.max(0, text.length - LONGEST);
    Matcher seal = END.matcher(end(text));
    return seal.find() && seal.group(1).equals(sum(text, from + seal.start()))
        ? Optional.of(seal.group(1))
        : Optional.empty();
  }

  /** Returns the last bytes of a text, one character for each. */
  public static String end(byte[] text) {
    int from = Math.max(0, text.length - LONGEST);
    return new String(text, from, text.length - from, StandardCharsets.ISO_8859_1);
  }
}
