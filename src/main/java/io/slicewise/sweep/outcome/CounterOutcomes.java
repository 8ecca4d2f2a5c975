package io.slicewise.sweep.outcome;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.Window;
import io.slicewise.run.result.TrialFault;
import io.slicewise.run.result.TrialLoad;
import io.slicewise.workload.counters.Counters;
import io.slicewise.workload.counters.Counters.Growths;
import io.slicewise.workload.counters.Counters.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The growth of counters in a window. Nothing is known of them before it has ended, so no guard can
 * end it.
 */
final class CounterOutcomes implements Outcomes {
  private static final String KEPT = "counters.txt";

  private final Counters counters;
  private Instant begun = Instant.now();

  CounterOutcomes(Counters counters) {
    this.counters = counters;
    counters
        .complaint()
        .ifPresent(
            why -> {
              counters.close();
              throw new TrialFault("the counters of the workload cannot be read: " + why);
            });
  }

  @Override
  public void begin(Duration length, Path directory) {
    begun = Instant.now();
    counters.begin();
  }

  @Override
  public Ended cut(Path directory) {
    Reading reading = counters.end();
    return new Ended() {
      @Override
      public TrialLoad in(Window window) {
        return load(reading.in(window), directory);
      }

      @Override
      public boolean isKnown(Window window) {
        return reading.isKnown();
      }
    };
  }

  @Override
  public Ended stop() {
    Growths all = counters.end().in(new Window(begun, Instant.now()));
    close();
    return window -> load(all);
  }

  private static TrialLoad load(Growths growths, Path directory) {
    if (!growths.raw().isEmpty()) {
      try {
        Files.writeString(directory.resolve(KEPT), growths.raw());
      } catch (IOException fault) {
        throw new TrialFault("the counters cannot be kept: " + FileFault.reason(fault), fault);
      }
    }
    return load(growths);
  }

  private static TrialLoad load(Growths growths) {
    return new TrialLoad(Optional.empty(), List.of(), growths.measures(), growths.faults());
  }

  @Override
  public void close() {
    counters.close();
  }
}
