package io.slicewise.load.spread;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.load.generator.GeneratorProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Waits for generators. */
final class Awaited {
  static final Duration STOP_LIMIT = Duration.ofSeconds(12);

  /** More files at a time would only share the network of this machine. */
  static final int FETCHES = 4;

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

  /** Does the work for all at the same time; a fault is thrown after all have ended. */
  static <A, B> List<B> all(List<A> each, Function<A, B> work) {
    return all(each.size(), each, work);
  }

  /** Does the work for all, but only for so many at a time. */
  static <A, B> List<B> all(int atOnce, List<A> each, Function<A, B> work) {
    ExecutorService workers = workers(Math.min(atOnce, each.size()));
    try {
      List<CompletableFuture<B>> running =
          each.stream()
              .map(one -> CompletableFuture.supplyAsync(() -> work.apply(one), workers))
              .toList();
      CompletableFuture.allOf(running.toArray(CompletableFuture[]::new)).join();
      return running.stream().map(CompletableFuture::join).toList();
    } catch (CompletionException fault) {
      throw fault.getCause() instanceof RuntimeException cause ? cause : fault;
    } finally {
      workers.shutdown();
    }
  }

  /** Returns threads that do not keep this program from ending. */
  static ExecutorService workers(int number) {
    return Executors.newFixedThreadPool(
        number,
        work -> {
          Thread thread = new Thread(work, "generators");
          thread.setDaemon(true);
          return thread;
        });
  }
}
