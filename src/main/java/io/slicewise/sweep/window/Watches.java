package io.slicewise.sweep.window;

import io.slicewise.base.units.Window;
import io.slicewise.observe.Observation;
import io.slicewise.observe.Observer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** The watches of a trial's observers, which begin, end and finish together. */
public final class Watches implements AutoCloseable {
  /** For the readings at a window's end; a machine that answers later is read late. */
  private static final Duration LONGEST_END = Duration.ofSeconds(5);

  private final List<Observer> observers;
  private final Path directory;
  private final Clock clock;

  private final IdentityHashMap<Observer, Observer.Watch> watches = new IdentityHashMap<>();

  /**
   * @param directory for the raw logs, in a directory for each observer
   */
  public Watches(List<Observer> observers, Path directory, Clock clock) {
    this.observers = List.copyOf(observers);
    this.directory = directory;
    this.clock = clock;
  }

  /** Returns the time that the observers need before a window. */
  public Duration longestLead() {
    return observers.stream()
        .map(Observer::leadTime)
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  /**
   * Begins the observers that need a lead time, each with its own before the window.
   *
   * @param waiter waits until a time
   */
  public void beginAhead(Window window, Consumer<Instant> waiter) {
    observers.stream()
        .filter(observer -> !observer.leadTime().isZero())
        .sorted(Comparator.comparing(Observer::leadTime).reversed())
        .forEach(
            observer -> {
              waiter.accept(window.start().minus(observer.leadTime()));
              begin(observer, window.end());
            });
  }

  /** Begins the others, at the start of the window. */
  public void begin(Instant windowEnd) {
    observers.stream()
        .filter(observer -> observer.leadTime().isZero())
        .forEach(observer -> begin(observer, windowEnd));
  }

  private void begin(Observer observer, Instant windowEnd) {
    Path logs = directory.resolve(observer.source());
    try {
      Files.createDirectories(logs);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Duration length = Duration.between(clock.instant(), windowEnd);
    watches.put(observer, observer.begin(length, logs));
  }

  private List<Observer.Watch> underWay() {
    return observers.stream().map(watches::get).filter(Objects::nonNull).toList();
  }

  /** Reads what is read at the end of the window, of all at once, and waits for that. */
  public void end() {
    underWay().forEach(Observer.Watch::end);
    long latest = System.nanoTime() + LONGEST_END.toNanos();
    underWay()
        .forEach(
            watch -> watch.awaitEnd(Duration.ofNanos(Math.max(0, latest - System.nanoTime()))));
  }

  /** Returns the observations, in the order of the observers. */
  public List<Observation> finish(Window window) {
    return underWay().stream().flatMap(watch -> watch.finish(window).stream()).toList();
  }

  /** Closes every watch, even if closing another one throws. */
  @Override
  public void close() {
    List<RuntimeException> faults = new ArrayList<>();
    for (Observer.Watch watch : underWay()) {
      try {
        watch.close();
      } catch (RuntimeException fault) {
        faults.add(fault);
      }
    }
    if (!faults.isEmpty()) {
      RuntimeException first = faults.get(0);
      faults.stream().skip(1).forEach(first::addSuppressed);
      throw first;
    }
  }
}
