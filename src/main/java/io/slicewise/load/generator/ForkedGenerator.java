package io.slicewise.load.generator;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.load.generator.RunningLoad.FinishedLoad;
import io.slicewise.load.generator.child.Wire;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/**
 * A generator with its own JVM per run: a first run costs the CPU of two, and JMeter's state is
 * static.
 */
final class ForkedGenerator implements LoadGenerator {
  private static final Duration START_LIMIT = Duration.ofSeconds(90);

  /**
   * The generator waits 2 s after asking users to stop and 3 s after interrupting them, and
   * completes its file within another 3 s.
   */
  private static final Duration STOP_LIMIT = Duration.ofSeconds(12);

  private static final GeneratorHealth UNKNOWN =
      new GeneratorHealth(
          Double.NaN,
          Double.NaN,
          Double.NaN,
          Double.NaN,
          Double.NaN,
          Double.NaN,
          Runtime.getRuntime().availableProcessors(),
          Double.NaN);

  @Override
  public PreparedLoad prepare(LoadRequest request) {
    return new Prepared(GeneratorProcess.start(request, "run"));
  }

  private static void await(CompletableFuture<Void> step, String did, GeneratorProcess process) {
    try {
      GeneratorProcess.await(step, START_LIMIT);
    } catch (TimeoutException late) {
      process.kill();
      throw new SlicewiseException(
          ErrorKind.NOT_READY,
          "the generator %s within %d s".formatted(did, START_LIMIT.toSeconds()),
          "the machine is too busy, or the plan is too large; its directory is "
              + process.request().directory(),
          late);
    }
  }

  private record Prepared(GeneratorProcess process) implements PreparedLoad {
    @Override
    public void awaitReady() {
      await(process.ready(), "was not ready", process);
    }

    @Override
    public RunningLoad begin() {
      awaitReady();
      process.send(Wire.GO);
      process.killAfter(process.request().longest().plus(STOP_LIMIT));
      await(process.started(), "did not start its users", process);
      return new Running(process);
    }

    @Override
    public void close() {
      process.kill();
    }
  }

  private record Running(GeneratorProcess process) implements RunningLoad {
    @Override
    public LoadProgress progress() {
      return process.progress();
    }

    @Override
    public boolean isAlive() {
      return process.isAtWork();
    }

    @Override
    public Optional<String> failure() {
      return process.failure();
    }

    @Override
    public Optional<String> lastWords() {
      return process.lastWords();
    }

    @Override
    public void beginWindow() {
      process.send(Wire.WINDOW);
    }

    @Override
    public FinishedLoad cut(Path samples) {
      try {
        GeneratorHealth health = GeneratorProcess.await(process.cut(samples), STOP_LIMIT);
        return new FinishedLoad(List.of(GeneratorOutput.local(samples, health)));
      } catch (TimeoutException hung) {
        throw new SlicewiseException(
            ErrorKind.TRIAL_FAILED,
            "the generator did not complete the samples of a window within %d s"
                .formatted(STOP_LIMIT.toSeconds()),
            "the machine is too busy, or its disk too slow",
            hung);
      }
    }

    @Override
    public FinishedLoad stop() {
      process.send(Wire.STOP);
      try {
        GeneratorProcess.await(process.ended(), STOP_LIMIT);
        return finished(process.health().join());
      } catch (TimeoutException hung) {
        process.kill();
        Salvage.complete(process.samples());
        return finished(process.health().getNow(UNKNOWN));
      } finally {
        process.kill();
      }
    }

    private FinishedLoad finished(GeneratorHealth health) {
      return new FinishedLoad(List.of(GeneratorOutput.local(process.samples(), health)));
    }

    @Override
    public void close() {
      process.kill();
    }
  }
}
