package io.slicewise.load.spread;

import io.slicewise.base.units.Phrase;
import io.slicewise.load.generator.GeneratorOutput;
import io.slicewise.load.generator.GeneratorProcess;
import io.slicewise.load.generator.LoadProgress;
import io.slicewise.load.generator.LoadProgress.Worst;
import io.slicewise.load.generator.LoadRequest;
import io.slicewise.load.generator.RunningLoad;
import io.slicewise.load.generator.RunningLoad.FinishedLoad;
import io.slicewise.load.generator.child.Wire;
import io.slicewise.load.spread.SpreadGenerator.SilenceLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * A plan that runs on several machines. If one of them ends or falls silent, the load is over: with
 * fewer users it would be another load.
 */
final class SpreadLoad implements RunningLoad {
  private static final long PULSE_MILLIS = 1_000;
  private static final Duration ATTENTION = Duration.ofSeconds(2);

  /** More samples are counted on the generators: the files of as many are about 200 MB. */
  private static final long MOST_FETCHED = 20_000_000;

  private final LoadRequest request;
  private final List<GeneratorPart> parts;
  private final SilenceLimits limits;
  private final boolean samplesStay;
  private Optional<Instant> window = Optional.empty();
  private Optional<String> failure = Optional.empty();
  private Optional<String> lost = Optional.empty();
  private boolean over;
  private long samplesCut;
  private long lookedNanos = System.nanoTime();
  private long attentiveNanos = System.nanoTime();

  SpreadLoad(
      LoadRequest request, List<GeneratorPart> parts, SilenceLimits limits, boolean samplesStay) {
    this.samplesStay = samplesStay;
    this.request = request;
    this.limits = limits;
    this.parts = parts;
    parts.forEach(this::beginPulse);
  }

  /** Each generator has its own pulse: a cut network may block what is sent to one of them. */
  private void beginPulse(GeneratorPart part) {
    Thread pulse =
        new Thread(
            () -> {
              try {
                while (part.process().isAtWork()) {
                  part.process().send(Wire.here(limits.harnessSilence()));
                  TimeUnit.MILLISECONDS.sleep(PULSE_MILLIS);
                }
              } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
              }
            },
            "generator-pulse");
    pulse.setDaemon(true);
    pulse.start();
  }

  @Override
  public LoadProgress progress() {
    List<LoadProgress> each = parts.stream().map(part -> part.process().progress()).toList();
    Histogram recent = new Histogram(2);
    parts.forEach(part -> recent.add(part.process().recent()));
    return new LoadProgress(
        each.stream().mapToInt(LoadProgress::activeUsers).sum(),
        sum(each, LoadProgress::samples),
        sum(each, LoadProgress::failed),
        each.stream().mapToDouble(LoadProgress::sumOfLogs).sum(),
        each.stream().mapToDouble(LoadProgress::ratePerSecond).sum(),
        percentile95(each, recent),
        worst(each, LoadProgress::cpuShare),
        worst(each, LoadProgress::latenessP99Millis));
  }

  /** A single generator sends no histogram. */
  private static double percentile95(List<LoadProgress> each, Histogram recent) {
    if (each.size() == 1) {
      return each.get(0).p95Millis();
    }
    return recent.getTotalCount() == 0 ? Double.NaN : recent.getValueAtPercentile(95);
  }

  private static long sum(List<LoadProgress> each, ToLongFunction<LoadProgress> number) {
    return each.stream().mapToLong(number).sum();
  }

  private Worst worst(List<LoadProgress> each, Function<LoadProgress, Worst> number) {
    return each.size() == 1
        ? number.apply(each.get(0))
        : Worst.of(
            IntStream.range(0, each.size())
                .mapToObj(
                    place ->
                        new Worst(number.apply(each.get(place)).value(), parts.get(place).name()))
                .toList());
  }

  @Override
  public synchronized boolean isAlive() {
    if (over || failure.isPresent()) {
      return false;
    }
    long now = System.nanoTime();
    if (now - lookedNanos > ATTENTION.toNanos()) {
      // This process was stopped or nobody asked: what arrived meanwhile may not have been read.
      attentiveNanos = now;
    }
    lookedNanos = now;
    for (GeneratorPart part : parts) {
      failure = fate(part, now);
      if (failure.isPresent()) {
        lost = Optional.of(part.name());
        part.lose();
        close();
        return false;
      }
    }
    return true;
  }

  /** Returns a sentence about a generator that no longer works, or empty. */
  private Optional<String> fate(GeneratorPart part, long now) {
    GeneratorProcess process = part.process();
    if (process.failure().isPresent()) {
      return Optional.of(sentence(part, "ended", process.failure().get()));
    }
    if (!process.isAtWork()) {
      return Optional.of(sentence(part, "ended", "its users ended by themselves"));
    }
    Duration limit = limits.generator();
    boolean silent =
        process.silence().compareTo(limit) > 0 && now - attentiveNanos > limit.toNanos();
    return silent
        ? Optional.of(
            sentence(
                part,
                "fell silent",
                "no sign of life for %d s, so it or its network stopped"
                    .formatted(limit.toSeconds())))
        : Optional.empty();
  }

  private String sentence(GeneratorPart part, String event, String cause) {
    int its = part.share().users();
    return Phrase.of(
        "generator %s %s %s (%d of %d users): %s%s",
        part.name(),
        event,
        window
            .map(
                began ->
                    Phrase.of(
                        "%.1f s into the window",
                        Duration.between(began, Instant.now()).toMillis() / 1000.0))
            .orElse("before the window"),
        its,
        request.users(),
        cause,
        window.isPresent()
            ? "; the trial measured %d users from then on".formatted(request.users() - its)
            : "");
  }

  @Override
  public synchronized Optional<String> failure() {
    return failure;
  }

  @Override
  public synchronized Optional<String> lostGenerator() {
    return lost;
  }

  @Override
  public synchronized void beginWindow() {
    Instant now = Instant.now();
    window = Optional.of(now);
    parts.forEach(part -> part.at(Wire.WINDOW, now));
  }

  @Override
  public FinishedLoad cut(Path samples) {
    boolean stay = samplesStay();
    return fetched(Awaited.all(parts, part -> part.cut(samples, stay)));
  }

  /** Whether the samples since the last call stay on the generators. */
  private synchronized boolean samplesStay() {
    long all = progress().samples();
    long more = all - samplesCut;
    samplesCut = all;
    return samplesStay || more > MOST_FETCHED;
  }

  @Override
  public FinishedLoad stop() {
    try {
      boolean stay = samplesStay();
      return fetched(Awaited.all(parts, part -> part.stop(stay)));
    } finally {
      close();
    }
  }

  private static FinishedLoad fetched(List<Supplier<GeneratorOutput>> samples) {
    return new FinishedLoad(Awaited.all(Awaited.FETCHES, samples, Supplier::get));
  }

  @Override
  public void close() {
    synchronized (this) {
      over = true;
    }
    GeneratorPart.close(parts);
  }
}
