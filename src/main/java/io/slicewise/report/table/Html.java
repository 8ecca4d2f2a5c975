package io.slicewise.report.table;

import io.slicewise.base.units.Visible;
import java.util.List;
import java.util.regex.Pattern;

/** Builds markup; text is always escaped. */
public final class Html {
  /** A minus sign before a number, as opposed to a hyphen in a name or range. */
  private static final Pattern NEGATIVE = Pattern.compile("(?<![^ \\[(])-(?=[0-9])");

  private final StringBuilder text = new StringBuilder(4096);

  /** Returns the text with HTML's special characters as references and no control character. */
  public static String escape(String text) {
    return Visible.text(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  /** Returns a sentence shared with screens, with typographic minus signs and arrows. */
  public static String typeset(String sentence) {
    return NEGATIVE.matcher(sentence).replaceAll("−").replace(" -> ", " → ");
  }

  /** Appends trusted markup unchanged. */
  public Html raw(String markup) {
    text.append(markup);
    return this;
  }

  /** Appends escaped text. */
  public Html say(String words) {
    text.append(escape(words));
    return this;
  }

  /** Appends {@code <tag>words</tag>}; the tag may include trusted attributes. */
  public Html element(String tag, String words) {
    String name = tag.split(" ", 2)[0];
    return raw("<" + tag + ">").say(words).raw("</" + name + ">\n");
  }

  /** Appends a list with one item per sentence, or nothing if there are none. */
  public Html list(String tag, List<String> sentences) {
    if (!sentences.isEmpty()) {
      raw("<" + tag + ">\n");
      sentences.forEach(sentence -> element("li", sentence));
      raw("</" + tag.split(" ", 2)[0] + ">\n");
    }
    return this;
  }

  /** Appends an entry of a description list. */
  public Html fact(String name, String value) {
    return raw("<div>").element("dt", name).element("dd", value).raw("</div>\n");
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
