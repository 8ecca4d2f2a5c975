package io.slicewise.load.access;

import io.slicewise.load.access.LineFormats.LineFormat;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * The lines of HAProxy's {@code option httplog}, with whatever syslog puts before them. Its times
 * are local and without a zone.
 */
record HaproxyFormat(ZoneOffset zone) implements LineFormat {
  private static final long MILLI = 1000;

  /** The fields after the accept date that are separated by blanks. */
  private static final int SERVER = 1;

  private static final int TIMERS = 2;
  private static final int STATUS = 3;
  private static final int BYTES = 4;
  private static final int STATE = 7;
  private static final int LAST = 9;

  @Override
  public long resolutionMicros() {
    return MILLI;
  }

  @Override
  public Optional<Request> read(String line) {
    int opening = line.indexOf(" [");
    // The name and number of the process may come before, in brackets.
    int closing = line.indexOf("] ", Math.max(0, opening));
    if (opening < 0 || closing < 0) {
      return Optional.empty();
    }
    Draft draft = new Draft();
    long started = Stamps.local(line, opening + 2, closing, zone);
    if (started < 0) {
      return Optional.empty();
    }
    draft.started(started);
    int at = closing + 2;
    for (int field = 0; field <= LAST; field++) {
      int end = line.indexOf(' ', at);
      if (end < 0 || !taken(draft, field, line, at, end)) {
        return Optional.empty();
      }
      at = end + 1;
    }
    int quote = line.indexOf('"', at);
    if (quote >= 0) {
      // A line that is too long for syslog ends inside the request.
      int end =
          line.endsWith("\"") && line.length() > quote + 1 ? line.length() - 1 : line.length();
      draft.take(Field.REQUEST, Unit.MICROS, line, quote + 1, end);
    }
    return draft.request();
  }

  private static boolean taken(Draft draft, int field, String line, int from, int to) {
    switch (field) {
      case TIMERS -> {
        return timers(draft, line, from, to);
      }
      case STATUS -> {
        return line.startsWith("-1", from)
            ? draft.take(Field.STATUS, Unit.MICROS, "0", 0, 1)
            : draft.take(Field.STATUS, Unit.MICROS, line, from, to);
      }
      case BYTES -> {
        return draft.take(
            Field.BYTES, Unit.MICROS, line, line.charAt(from) == '+' ? from + 1 : from, to);
      }
      case STATE -> {
        if (line.charAt(from) == 'C') {
          draft.aborted();
        }
        return to - from >= 2;
      }
      case SERVER -> {
        return line.indexOf('/', from) < to;
      }
      default -> {
        return true;
      }
    }
  }

  /** TR/Tw/Tc/Tr/Ta: the fourth is the server's, the last all together; -1 is not reached. */
  private static boolean timers(Draft draft, String line, int from, int to) {
    int last = line.lastIndexOf('/', to - 1);
    int fourth = line.lastIndexOf('/', last - 1);
    if (fourth < from) {
      return false;
    }
    draft.take(Field.UPSTREAM, Unit.MILLIS, line, fourth + 1, last);
    int begin = last + 1;
    if (begin < to && line.charAt(begin) == '+') {
      begin++;
    }
    return draft.take(Field.DURATION, Unit.MILLIS, line, begin, to);
  }
}
