package io.slicewise.report.page;

import java.util.List;

/** Markup, piece by piece; whatever is said as text stays text. */
public final class Html {
  private final StringBuilder text = new StringBuilder(4096);

  /** Every character that HTML gives a meaning to, written as a reference. */
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  /** Markup of ours, as it stands. */
  public Html raw(String markup) {
    text.append(markup);
    return this;
  }

  /** Text of anybody, escaped. */
  public Html say(String words) {
    text.append(escape(words));
    return this;
  }

  /** {@code <tag>words</tag>}; the tag may carry attributes of ours. */
  public Html element(String tag, String words) {
    String name = tag.split(" ", 2)[0];
    return raw("<" + tag + ">").say(words).raw("</" + name + ">\n");
  }

  /** A list with one item a sentence; nothing at all when there are none. */
  public Html list(String tag, List<String> sentences) {
    if (!sentences.isEmpty()) {
      raw("<" + tag + ">\n");
      sentences.forEach(sentence -> element("li", sentence));
      raw("</" + tag.split(" ", 2)[0] + ">\n");
    }
    return this;
  }

  /** A line of a description list. */
  public Html fact(String name, String value) {
    return raw("<div>").element("dt", name).element("dd", value).raw("</div>\n");
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
