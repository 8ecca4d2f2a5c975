package io.slicewise.load.jtl;

import java.nio.charset.StandardCharsets;

/**
 * The first sample inside another one of XML.
 *
 * @param seen whether such a sample, or the end of the one around it, is among the bytes
 * @param present whether there is one
 * @param label as spelt in the file; empty if there is no sample
 */
record FirstInside(boolean seen, boolean present, String label) {
  private static final FirstInside UNSEEN = new FirstInside(false, false, "");

  private static final FirstInside NONE = new FirstInside(true, false, "");

  /** Bytes from a less-than sign to behind the name of a sample's tag, at most. */
  private static final int LONGEST_NAME = 16;

  private static final String LABEL = " lb=\"";

  /** Looks between two places. */
  static FirstInside find(byte[] bytes, int from, int to) {
    for (int at = from; at + LONGEST_NAME < to; at++) {
      if (bytes[at] == '<' && XmlScanner.sampleName(bytes, at + 1) > 0) {
        return tag(bytes, at, to);
      }
      if (bytes[at] == '<' && bytes[at + 1] == '/' && XmlScanner.sampleName(bytes, at + 2) > 0) {
        return NONE;
      }
    }
    return UNSEEN;
  }

  private static FirstInside tag(byte[] bytes, int from, int to) {
    int end = from;
    while (end < to && bytes[end] != '>') {
      end++;
    }
    if (end == to) {
      return UNSEEN;
    }
    String tag = new String(bytes, from, end - from, StandardCharsets.ISO_8859_1);
    int start = tag.indexOf(LABEL);
    int label = start + LABEL.length();
    int behind = start < 0 ? -1 : tag.indexOf('"', label);
    return new FirstInside(true, true, behind < 0 ? "" : tag.substring(label, behind));
  }

  /** Whether this is a request inside a transaction. */
  boolean isRequestOf(Row around) {
    return present && !isPartOf(around);
  }

  /** Whether this is a part of a request. */
  boolean isPartOf(Row around) {
    int length = around.labelEnd - around.labelStart;
    String request =
        new String(around.bytes, around.labelStart, length, StandardCharsets.ISO_8859_1);
    return present && PartName.isOf(label, request);
  }
}
