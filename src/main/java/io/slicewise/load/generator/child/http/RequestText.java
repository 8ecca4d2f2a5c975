package io.slicewise.load.generator.child.http;

import java.util.ArrayList;
import java.util.List;

/**
 * The text of a request, in the order of headers in which HttpClient sends it. A user's requests
 * are mostly like the one before: then its bytes are used again.
 */
final class RequestText {
  private static final String COOKIE = "Cookie";
  private static final int PRINTABLE = 0x20;
  private static final int LAST_PRINTABLE = 0x7e;
  private static final int FIRST_LATIN = 0xa0;
  private static final int LAST_LATIN = 0xff;

  /** Names and values in turns. */
  private List<String> lines = new ArrayList<>();

  private List<String> lastLines = new ArrayList<>();
  private String lastStart = "";
  private Parameters.Body lastBody;
  private byte[] bytes;
  private String visible;

  /** Begins the next request. */
  void begin() {
    List<String> free = lastLines;
    lastLines = lines;
    lines = free;
    lines.clear();
  }

  void add(String name, String value) {
    lines.add(name);
    lines.add(value);
  }

  /** Replaces the first header of that name; adds one if there is none. */
  void set(String name, String value) {
    int at = indexOf(name);
    if (at < 0) {
      add(name, value);
    } else {
      lines.set(at, name);
      lines.set(at + 1, value);
    }
  }

  boolean has(String name) {
    return indexOf(name) >= 0;
  }

  private int indexOf(String name) {
    for (int i = 0; i < lines.size(); i += 2) {
      if (lines.get(i).equalsIgnoreCase(name)) {
        return i;
      }
    }
    return -1;
  }

  /** Returns the cookies as JMeter reads them back from the headers. */
  String cookies() {
    StringBuilder found = new StringBuilder();
    for (int i = 0; i < lines.size(); i += 2) {
      if (lines.get(i).equalsIgnoreCase(COOKIE)) {
        line(found, i);
      }
    }
    String text = found.toString().trim();
    return text.isEmpty() ? "" : text.substring(COOKIE.length() + 1).trim();
  }

  /** Whether a header of that name has this word among others. */
  boolean says(String name, String word) {
    for (int i = 0; i < lines.size(); i += 2) {
      if (lines.get(i).equalsIgnoreCase(name)) {
        for (String token : lines.get(i + 1).split(",", -1)) {
          if (token.strip().equalsIgnoreCase(word)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /**
   * Ends the request.
   *
   * @param start its first line
   * @param body null if it has none
   */
  @SuppressWarnings("ReferenceEquality") // parameters return the same object again
  void end(String start, Parameters.Body body) {
    if (bytes == null || body != lastBody || !start.equals(lastStart) || !lines.equals(lastLines)) {
      make(start, body == null ? new byte[0] : body.bytes());
    }
    lastStart = start;
    lastBody = body;
  }

  private void make(String start, byte[] body) {
    StringBuilder sent = new StringBuilder(300).append(start).append("\r\n");
    StringBuilder shown = new StringBuilder(150);
    for (int i = 0; i < lines.size(); i += 2) {
      sent.append(lines.get(i)).append(": ").append(onOneLine(lines.get(i + 1))).append("\r\n");
      if (!lines.get(i).equalsIgnoreCase(COOKIE)) {
        line(shown, i);
      }
    }
    sent.append("\r\n");
    bytes = new byte[sent.length() + body.length];
    for (int i = 0; i < sent.length(); i++) {
      char letter = sent.charAt(i);
      bytes[i] = (byte) (isSent(letter) ? letter : '?');
    }
    System.arraycopy(body, 0, bytes, sent.length(), body.length);
    visible = shown.toString();
  }

  private void line(StringBuilder text, int at) {
    text.append(lines.get(at)).append(": ").append(lines.get(at + 1)).append('\n');
  }

  private static String onOneLine(String value) {
    return value.replace('\r', ' ').replace('\n', ' ').replace('\f', ' ').replace('\u000b', ' ');
  }

  private static boolean isSent(char letter) {
    return (letter >= PRINTABLE && letter <= LAST_PRINTABLE)
        || (letter >= FIRST_LATIN && letter <= LAST_LATIN)
        || letter == '\t'
        || letter == '\r'
        || letter == '\n';
  }

  /** Returns the whole request, with its body. */
  byte[] bytes() {
    return bytes;
  }

  /** Returns the headers for the sample, without cookies. */
  String visible() {
    return visible;
  }
}
