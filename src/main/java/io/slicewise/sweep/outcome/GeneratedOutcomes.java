package io.slicewise.sweep.outcome;

import io.slicewise.base.units.Window;
import io.slicewise.load.generator.LoadProgress;
import io.slicewise.load.generator.RunningLoad;
import io.slicewise.load.generator.RunningLoad.FinishedLoad;
import io.slicewise.run.result.TrialLoad;
import io.slicewise.run.result.TrialSamples;
import io.slicewise.workload.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The samples of a load that the generator makes. */
record GeneratedOutcomes(RunningLoad load, Workload workload) implements Outcomes {
  /** The samples of a window and of the wash-out before it, in the window's directory. */
  private static final String SAMPLES = "samples.jtl.gz";

  private static final long GLANCE_MILLIS = 100;
  private static final long LEAST_NANOS = 700_000_000L;

  @Override
  public void begin(Duration length, Path directory) {
    load.beginWindow();
  }

  /** Takes what came since the last report of the generator, which it makes once a second. */
  @Override
  public void watch(Consumer<Second> listener) {
    Thread looks =
        new Thread(
            () -> {
              LoadProgress before = load.progress();
              long taken = System.nanoTime();
              while (load.isAlive() && pause()) {
                LoadProgress now = load.progress();
                long nanos = System.nanoTime();
                if (now.equals(before) || nanos - taken < LEAST_NANOS) {
                  continue;
                }
                taken = nanos;
                listener.accept(
                    new Second(
                        Instant.now().minusSeconds(1),
                        now.samples() - before.samples(),
                        now.failed() - before.failed(),
                        now.sumOfLogs() - before.sumOfLogs()));
                before = now;
              }
            },
            "load-seconds");
    looks.setDaemon(true);
    looks.start();
  }

  private static boolean pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(GLANCE_MILLIS);
      return true;
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public Ended cut(Path directory) {
    return new Samples(load.cut(directory.resolve(SAMPLES)), workload);
  }

  @Override
  public Ended stop() {
    return new Samples(load.stop(), workload);
  }

  @Override
  public void close() {
    load.close();
  }

  private record Samples(FinishedLoad done, Workload workload) implements Ended {
    @Override
    public TrialLoad in(Window window) {
      return TrialSamples.load(done, window, workload);
    }

    @Override
    public Optional<Window> span() {
      return TrialSamples.span(done);
    }
  }
}
