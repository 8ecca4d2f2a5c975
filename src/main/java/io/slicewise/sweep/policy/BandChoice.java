package io.slicewise.sweep.policy;

import io.slicewise.sweep.policy.Policy.Band;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Decides which band applies from readings of the load.
 *
 * <p>The load is the mean of the readings of one window. A change needs a mean that is beyond the
 * edge by the hysteresis, and by five standard errors of a mean at the edge, so that neither the
 * noise of arrivals there nor a step of the load that the window contains only in part changes
 * anything. The variance is taken to be proportional to the load, as that of counts is, and is at
 * least that of independent arrivals: the variance of the few requests of a quiet minute would make
 * the quiet look certain. After a change, nothing changes for the minimum stay, and at least until
 * the window contains only readings from after it. A step of the load across several edges
 * therefore costs two changes at most: one while the window still contains both loads, and one to
 * the final band.
 */
public final class BandChoice {
  private static final double ERRORS = 5;

  private final List<Band> bands;
  private final Policy.Pace pace;
  private final double leastDispersion;
  private final Deque<Reading> readings = new ArrayDeque<>();
  private double sum;
  private double squares;
  private Optional<Band> current = Optional.empty();
  private Instant quietUntil = Instant.MIN;
  private Optional<Instant> began = Optional.empty();

  /** A reading of the load: its mean over the time since the reading before. */
  private record Reading(Instant at, double load) {}

  /** A change of band; {@code from} is empty for the first band. */
  public record Change(Instant at, Optional<Band> from, Band to, double load) {}

  public BandChoice(Policy policy) {
    this.bands = policy.bands();
    this.pace = policy.pace();
    this.leastDispersion = policy.load().domain().isEmpty() ? 1 : 0;
  }

  /** Takes a reading; returns the change that it causes, if any. */
  public Optional<Change> take(Instant at, double load) {
    began = began.or(() -> Optional.of(at));
    add(new Reading(at, load), 1);
    readings.addLast(new Reading(at, load));
    while (!readings.getFirst().at.isAfter(at.minus(pace.window()))) {
      add(readings.removeFirst(), -1);
    }
    Instant full = began.get().plus(pace.window());
    if (at.isBefore(full) || at.isBefore(quietUntil) || readings.size() < LoadMetric.FEWEST) {
      return Optional.empty();
    }
    double mean = mean();
    Band wanted = current.map(band -> beyond(band, mean)).orElseGet(() -> containing(mean));
    if (current.filter(wanted::equals).isPresent()) {
      return Optional.empty();
    }
    Change change = new Change(at, current, wanted, mean);
    current = Optional.of(wanted);
    quietUntil = at.plus(longer(pace.stay(), pace.window()));
    return Optional.of(change);
  }

  /** Forgets the readings, as after a time in which none could be made; the band stays. */
  public void forget() {
    readings.clear();
    sum = 0;
    squares = 0;
    began = Optional.empty();
  }

  /** Returns the band that applies; empty until a whole window has been read. */
  public Optional<Band> current() {
    return current;
  }

  /** Returns the mean load of the window; {@code NaN} without readings. */
  public double mean() {
    return readings.isEmpty() ? Double.NaN : sum / readings.size();
  }

  /** Returns whether the mean is below the one or above the other edge, by more than noise. */
  public boolean isBeyond(double low, double high) {
    return readings.size() >= LoadMetric.FEWEST
        && (mean() < low - margin(low) || mean() > high + margin(high));
  }

  private Band beyond(Band band, double mean) {
    return mean >= band.to() + margin(band.to()) || mean < band.from() - margin(band.from())
        ? containing(mean)
        : band;
  }

  private Band containing(double load) {
    return bands.stream()
        .filter(band -> band.contains(load))
        .findFirst()
        .orElse(bands.get(bands.size() - 1));
  }

  private void add(Reading reading, int times) {
    sum += times * reading.load;
    squares += times * reading.load * reading.load;
  }

  /** Returns how far beyond an edge the mean must be. */
  private double margin(double edge) {
    if (Double.isInfinite(edge)) {
      return 0;
    }
    int n = readings.size();
    double variance = Math.max(0, (squares - sum * sum / n) / (n - 1));
    double dispersion = sum > 0 ? Math.max(leastDispersion, variance * n / sum) : leastDispersion;
    return Math.max(pace.hysteresis() * edge, ERRORS * Math.sqrt(dispersion * edge / n));
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
