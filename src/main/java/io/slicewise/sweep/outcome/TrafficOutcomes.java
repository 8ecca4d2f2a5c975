package io.slicewise.sweep.outcome;

import io.slicewise.base.units.HintedException;
import io.slicewise.base.units.Window;
import io.slicewise.load.access.AccessLog;
import io.slicewise.load.access.LoggedWindow;
import io.slicewise.run.result.TrialFault;
import io.slicewise.run.result.TrialLoad;
import io.slicewise.workload.Traffic;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The requests of a site's own users, from the access log of its server. */
final class TrafficOutcomes implements Outcomes {
  private final Traffic traffic;
  private final AccessLog log;
  private Instant begun = Instant.now();

  TrafficOutcomes(Traffic traffic) {
    this.traffic = traffic;
    this.log = traffic.follow();
    try {
      log.awaitBegun();
    } catch (HintedException fault) {
      log.close();
      throw new TrialFault("the access log cannot be followed: " + fault.getMessage(), fault);
    }
  }

  @Override
  public void begin(Duration length, Path directory) {
    begun = Instant.now();
    log.forget();
  }

  @Override
  public void watch(Consumer<Second> listener) {
    log.watch(
        (at, requests, errors, sumOfLogMillis) ->
            listener.accept(new Second(at, requests, errors, sumOfLogMillis)));
  }

  @Override
  public Ended cut(Path directory) {
    return new Ended() {
      @Override
      public TrialLoad in(Window window) {
        return load(log.read(window), window);
      }

      @Override
      public List<String> remarks() {
        return log.note().stream().toList();
      }

      @Override
      public boolean isKnown(Window window) {
        return log.isComplete(window);
      }
    };
  }

  @Override
  public void rest() {
    log.forget();
  }

  @Override
  public Duration lateness() {
    return log.lateness();
  }

  @Override
  public Ended stop() {
    LoggedWindow all = log.read(new Window(begun, Instant.now()));
    close();
    return window -> load(all.in(window), window);
  }

  private TrialLoad load(LoggedWindow logged, Window window) {
    List<String> faults = new ArrayList<>(logged.faults());
    if (logged.requests().size() < traffic.least()) {
      faults.add(
          "%d requests started in it, fewer than %d (at-least)"
              .formatted(logged.requests().size(), traffic.least()));
    }
    TrafficResult result = new TrafficResult(logged, window, log.labels(), log.resolutionMicros());
    return new TrialLoad(
        Optional.of(result.load()), List.of(), result.measures(), List.copyOf(faults));
  }

  @Override
  public void close() {
    log.close();
  }
}
