package io.slicewise.load.access;

import java.util.Optional;

/** The fields of one line while it is read. */
final class Draft {
  /** A day in microseconds; a longer duration is damage. */
  private static final long LONGEST = 86_400_000_000L;

  private static final int CLIENT_CLOSED = 499;
  private static final int LOWEST_STATUS = 100;
  private static final int HIGHEST_STATUS = 599;

  private long start = -1;
  private long end = -1;
  private long duration = -1;
  private long upstream = -1;
  private int status = -1;
  private String method = "";
  private String host = "";
  private String path = "";
  private long bytes;
  private boolean aborted;

  /** Takes a field; returns whether the line may be one of this format. */
  boolean take(Field field, Unit unit, String text, int from, int to) {
    switch (field) {
      case START -> start = unit.micros(text, from, to);
      case END -> end = unit.micros(text, from, to);
      case DURATION -> duration = unit.duration(text, from, to);
      case UPSTREAM -> {
        upstream = sum(unit, text, from, to);
        return upstream > -2;
      }
      case STATUS -> status = status(text, from, to);
      case METHOD -> method = word(text, from, to);
      case HOST -> host = word(text, from, to);
      case PATH -> target(text, from, to);
      case REQUEST -> request(text, from, to);
      case BYTES -> {
        long number = Unit.MICROS.micros(text, from, to);
        bytes = Math.max(0, number);
        return number >= 0 || isNone(text, from, to);
      }
      case CONNECTION -> aborted = to == from + 1 && text.charAt(from) == 'X';
      case OTHER -> {
        return true;
      }
    }
    return status >= -1;
  }

  void started(long micros) {
    start = micros;
  }

  void aborted() {
    aborted = true;
  }

  void upgraded() {
    status = 101;
    aborted = false;
  }

  int status() {
    return status;
  }

  private static int status(String text, int from, int to) {
    if (to == from + 1) {
      return text.charAt(from) == '-' || text.charAt(from) == '0' ? 0 : -2;
    }
    if (to == from + 3) {
      long number = Unit.MICROS.micros(text, from, to);
      return number == 0 || (number >= LOWEST_STATUS && number <= HIGHEST_STATUS)
          ? (int) number
          : -2;
    }
    return -2;
  }

  /** Several tries are a list: {@code 0.002, 0.001 : 0.004}. Returns -2 if it is something else. */
  private static long sum(Unit unit, String text, int from, int to) {
    long sum = -1;
    int begin = from;
    for (int i = from; i <= to; i++) {
      char c = i < to ? text.charAt(i) : ' ';
      if (c == ' ' || c == ',' || c == ':') {
        long one = unit.duration(text, begin, i);
        if (one >= 0) {
          sum = Math.max(0, sum) + one;
        } else if (!isNone(text, begin, i)) {
          return -2;
        }
        begin = i + 1;
      }
    }
    return sum;
  }

  private static String word(String text, int from, int to) {
    boolean none = to == from + 1 && text.charAt(from) == '-';
    return none ? "" : text.substring(from, Math.min(to, from + 255));
  }

  /** Returns whether a field with numbers has none: empty, or hyphens of servers that had none. */
  private static boolean isNone(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (" -,:".indexOf(text.charAt(i)) < 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Takes the target of a request. With HTTP/2, HAProxy logs an absolute URI, as clients send it to
   * proxies: its path is what others log.
   */
  private void target(String text, int from, int to) {
    int scheme = text.startsWith("/", from) ? -1 : text.indexOf("://", from);
    int begin = from;
    if (scheme > from && scheme + 3 < to && isScheme(text, from, scheme)) {
      int authority = scheme + 3;
      begin = authority;
      while (begin < to && "/?#".indexOf(text.charAt(begin)) < 0) {
        begin++;
      }
      host = host.isEmpty() ? word(text, authority, begin) : host;
      if (begin == to || text.charAt(begin) != '/') {
        path = "/" + text.substring(begin, Math.min(to, begin + Request.LONGEST_PATH - 1));
        return;
      }
    }
    boolean none = to == begin + 1 && text.charAt(begin) == '-';
    path = none ? "" : text.substring(begin, Math.min(to, begin + Request.LONGEST_PATH));
  }

  private static boolean isScheme(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!Character.isLetterOrDigit(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private void request(String text, int from, int to) {
    int first = text.indexOf(' ', from);
    if (first < 0 || first >= to) {
      return;
    }
    method = word(text, from, first);
    int second = text.lastIndexOf(' ', to - 1);
    target(text, first + 1, second > first ? second : to);
  }

  /** Returns the request; empty if the line lacks what every request has. */
  Optional<Request> request() {
    if (duration < 0 || duration > LONGEST || status < 0 || (start < 0 && end < 0)) {
      return Optional.empty();
    }
    return Optional.of(
        new Request(
            start >= 0 ? start : end - duration,
            duration,
            upstream,
            status,
            method,
            host,
            path,
            bytes,
            aborted || status == CLIENT_CLOSED || status == 0));
  }
}
