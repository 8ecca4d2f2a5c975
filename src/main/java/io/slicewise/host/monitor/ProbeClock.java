package io.slicewise.host.monitor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A machine's uptime beside this program's monotonic time, from the readings with the shortest
 * round trips.
 */
final class ProbeClock {
  /** The kernel shows its uptime in steps of 10 ms. */
  private static final double STEP = 0.010;

  private static final int KEPT = 10;
  private static final double SPAN_FOR_DRIFT = 10;

  /** A reading's time here, the offset then, and its round trip. */
  private record Point(double at, double offset, double roundTrip) {}

  private final List<Point> points = new ArrayList<>();
  private String boot = "";

  /** Adds a reading; those of an earlier boot are forgotten. */
  synchronized void add(MachineProbe.Taken taken) {
    MachineReading reading = taken.reading().orElseThrow();
    if (Double.isNaN(reading.uptime())) {
      return;
    }
    if (!reading.boot().isEmpty() && !reading.boot().equals(boot)) {
      boot = reading.boot();
      points.clear();
    }
    double middle = (taken.askedNanos() / 1e9 + taken.answeredNanos() / 1e9) / 2;
    points.add(new Point(middle, reading.uptime() - middle, taken.roundTrip()));
    points.sort(Comparator.comparingDouble(Point::roundTrip));
    if (points.size() > KEPT) {
      points.remove(points.size() - 1);
    }
  }

  /** The uptime minus the monotonic time; {@code NaN} without readings. */
  synchronized double offset() {
    return points.isEmpty() ? Double.NaN : points.get(0).offset();
  }

  synchronized double roundTrip() {
    return points.isEmpty() ? Double.NaN : points.get(0).roundTrip();
  }

  /** The offset is correct to within so many seconds. */
  double doubt() {
    return roundTrip() / 2 + STEP;
  }

  /** The slope of a line through the kept offsets; {@code NaN} if they are too close together. */
  synchronized double drift() {
    double first = points.stream().mapToDouble(Point::at).min().orElse(0);
    double last = points.stream().mapToDouble(Point::at).max().orElse(0);
    if (points.size() < 3 || last - first < SPAN_FOR_DRIFT) {
      return Double.NaN;
    }
    double meanAt = points.stream().mapToDouble(Point::at).average().orElseThrow();
    double meanOffset = points.stream().mapToDouble(Point::offset).average().orElseThrow();
    double above = 0;
    double below = 0;
    for (Point point : points) {
      above += (point.at() - meanAt) * (point.offset() - meanOffset);
      below += (point.at() - meanAt) * (point.at() - meanAt);
    }
    return above / below;
  }
}
