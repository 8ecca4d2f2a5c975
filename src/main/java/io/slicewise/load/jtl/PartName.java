package io.slicewise.load.jtl;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * JMeter's names of the sub-results of a request (redirects, embedded resources): the request's
 * name, a dash and a number from 0; nested sub-results have another dash and number.
 */
final class PartName {
  private PartName() {}

  /** Whether a label could be that of a sub-result. */
  static boolean isOne(String label) {
    int dash = label.lastIndexOf('-');
    return dash >= 0 && isNumbers(label, dash);
  }

  /** Whether a label is that of a sub-result of {@code request}. */
  static boolean isOf(String label, String request) {
    return label.startsWith(request) && isNumbers(label, request.length());
  }

  /**
   * Whether JMeter writes the first of two sub-results of one request before the second: it numbers
   * them from 0, and nested ones after the one that they are part of.
   */
  static boolean isBefore(String first, String second, String request) {
    return Arrays.compare(numbers(first, request), numbers(second, request)) < 0;
  }

  private static BigInteger[] numbers(String label, String request) {
    return Arrays.stream(label.substring(request.length() + 1).split("-", -1))
        .map(BigInteger::new)
        .toArray(BigInteger[]::new);
  }

  /** The name without its last dash and number. */
  static String parent(String label) {
    return label.substring(0, label.lastIndexOf('-'));
  }

  /** Whether the rest of the label consists of dashes, each followed by digits. */
  private static boolean isNumbers(String label, int from) {
    int at = from;
    while (at < label.length()) {
      int digits = label.charAt(at) == '-' ? at + 1 : label.length();
      at = digits;
      while (at < label.length() && label.charAt(at) >= '0' && label.charAt(at) <= '9') {
        at++;
      }
      if (at == digits) {
        return false;
      }
    }
    return from < label.length();
  }
}
