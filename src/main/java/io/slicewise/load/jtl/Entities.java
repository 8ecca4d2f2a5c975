package io.slicewise.load.jtl;

import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Decodes the text of an XML attribute: the five predefined entities, character references, and
 * blanks for line ends. Other entities are never expanded.
 */
final class Entities {
  private static final Pattern REFERENCE =
      Pattern.compile("&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos));");
  private static final Map<String, String> NAMED =
      Map.of("amp", "&", "lt", "<", "gt", ">", "quot", "\"", "apos", "'");

  private Entities() {}

  static String decode(String text) {
    return isPlain(text) ? text : decoded(text);
  }

  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      if (letter == '&' || letter == '\r' || letter == '\n' || letter == '\t') {
        return false;
      }
    }
    return true;
  }

  private static String decoded(String text) {
    String blanks = text.replace("\r\n", " ").replaceAll("[\r\n\t]", " ");
    return REFERENCE
        .matcher(blanks)
        .replaceAll(reference -> Matcher.quoteReplacement(meaning(reference)));
  }

  private static String meaning(MatchResult reference) {
    if (reference.group(3) != null) {
      return NAMED.get(reference.group(3));
    }
    int point =
        reference.group(1) != null
            ? Integer.parseInt(reference.group(1), 16)
            : Integer.parseInt(reference.group(2));
    return Character.isValidCodePoint(point) ? Character.toString(point) : reference.group();
  }
}
