package io.slicewise.load.jtl;

import java.nio.charset.StandardCharsets;

/**
 * The first sample inside another XML sample.
 *
 * @param seen whether the bytes contain such a sample or the end of the outer one
 * @param present whether it exists
 * @param label as spelled in the file; empty if there is no sample
 */
record FirstInside(boolean seen, boolean present, String label) {
  private static final FirstInside UNSEEN = new FirstInside(false, false, "");

  private static final FirstInside NONE = new FirstInside(true, false, "");

  /** The maximum number of bytes from a less-than sign to the end of a sample tag's name. */
  private static final int LONGEST_NAME = 16;

  private static final String LABEL = " lb=\"";

  /** Searches between two positions. */
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
    int labelEnd = start < 0 ? -1 : tag.indexOf('"', label);
    return new FirstInside(true, true, labelEnd < 0 ? "" : tag.substring(label, labelEnd));
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
