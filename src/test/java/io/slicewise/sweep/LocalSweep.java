package io.slicewise.sweep;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.load.generator.LoadGenerator;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.StopRequest;
import io.slicewise.run.SweepListener;
import io.slicewise.run.SweepListener.Step;
import io.slicewise.sweep.guard.SweepOptions;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A sweep in the process of a test, with the real clock and a generator in a JVM of its own. */
public record LocalSweep(
    Experiment experiment, SweepOptions options, SweepListener listener, StopRequest stop) {
  /** Returns a sweep with default options that nobody watches or stops. */
  public static LocalSweep of(Experiment experiment) {
    return new LocalSweep(
        experiment,
        SweepOptions.DEFAULT,
        new SweepListener() {},
        new StopRequest(Clock.systemUTC()));
  }

  public LocalSweep with(SweepOptions other) {
    return new LocalSweep(experiment, other, listener, stop);
  }

  public LocalSweep with(SweepListener other) {
    return new LocalSweep(experiment, options, other, stop);
  }

  public LocalSweep with(StopRequest other) {
    return new LocalSweep(experiment, options, listener, other);
  }

  /** Begins a run in a new directory below {@code results}. */
  public Sweep begin(Path results) {
    return Sweep.begin(
        experiment, results, options, listener, stop, LoadGenerator.forked(), Clock.systemUTC());
  }

  public Sweep resume(RunDirectory run) {
    return Sweep.resume(
        run, experiment, options, listener, stop, LoadGenerator.forked(), Clock.systemUTC());
  }

  public static SweepListener atEachStep(BiConsumer<Trial, Step> action) {
    return new SweepListener() {
      @Override
      public void step(Trial trial, Step step, Duration expected) {
        action.accept(trial, step);
      }
    };
  }

  public static SweepListener atEachNotice(Consumer<String> action) {
    return new SweepListener() {
      @Override
      public void notice(String sentence) {
        action.accept(sentence);
      }
    };
  }
}
