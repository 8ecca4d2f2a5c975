package io.slicewise.load.spread;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.load.generator.GeneratorProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Waits for generators. */
final class Awaited {
  static final Duration STOP_LIMIT = Duration.ofSeconds(12);

  private Awaited() {}

  /** Waits for a generator's answer; a fault is reported with its name. */
  static <T> T result(String generator, CompletableFuture<T> answer) {
    return result(generator, answer, STOP_LIMIT);
  }

  static <T> T result(String generator, CompletableFuture<T> answer, Duration limit) {
    try {
      return GeneratorProcess.await(answer, limit);
    } catch (TimeoutException late) {
      throw new SlicewiseException(
          ErrorKind.TRIAL_FAILED,
          "generator %s did not answer within %d s".formatted(generator, limit.toSeconds()),
          "its machine is too busy, or its network is interrupted",
          late);
    } catch (SlicewiseException fault) {
      throw new SlicewiseException(
          fault.errorKind(), named(generator, fault.getMessage()), fault.hint(), fault);
    }
  }

  /** Returns the sentence with the generator's name, unless it has it already. */
  static String named(String generator, String sentence) {
    return sentence.contains("generator " + generator)
        ? sentence
        : "generator %s: %s".formatted(generator, sentence);
  }

  /** Does the work for all at the same time; the first fault is thrown after all have ended. */
  static <A, B> List<B> all(List<A> each, Function<A, B> work) {
    List<CompletableFuture<B>> running = new ArrayList<>();
    for (A one : each) {
      CompletableFuture<B> result = new CompletableFuture<>();
      running.add(result);
      Thread thread =
          new Thread(
              () -> {
                try {
                  result.complete(work.apply(one));
                } catch (RuntimeException | Error fault) {
                  result.completeExceptionally(fault);
                }
              },
              "generator");
      thread.setDaemon(true);
      thread.start();
    }
    try {
      CompletableFuture.allOf(running.toArray(CompletableFuture[]::new)).join();
    } catch (CompletionException fault) {
      throw fault.getCause() instanceof RuntimeException cause ? cause : fault;
    }
    return running.stream().map(CompletableFuture::join).toList();
  }
}
