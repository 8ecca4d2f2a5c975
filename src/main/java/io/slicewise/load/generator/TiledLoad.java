package io.slicewise.load.generator;

import io.slicewise.base.units.TearDown;
import io.slicewise.load.generator.LoadGenerator.PreparedLoad;
import io.slicewise.load.generator.LoadProgress.Worst;
import io.slicewise.load.generator.RunningLoad.FinishedLoad;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;

/**
 * Several plans at once, each with a generator of its own. If one of them ends, the load is over:
 * without it, it would be another one.
 *
 * @param loads by the names of their outputs
 * @param directory for the samples of all
 */
record TiledLoad(Map<String, RunningLoad> loads, Path directory) implements RunningLoad {
  TiledLoad {
    loads = Collections.unmodifiableMap(new LinkedHashMap<>(loads));
  }

  /** The same before it begins. */
  record Prepared(Map<String, PreparedLoad> loads, Path directory) implements PreparedLoad {
    Prepared {
      loads = Collections.unmodifiableMap(new LinkedHashMap<>(loads));
    }

    @Override
    public void awaitReady() {
      loads.values().forEach(PreparedLoad::awaitReady);
    }

    @Override
    public RunningLoad begin() {
      awaitReady();
      Map<String, RunningLoad> running = new LinkedHashMap<>();
      loads.forEach((name, load) -> running.put(name, load.begin()));
      return new TiledLoad(running, directory);
    }

    @Override
    public void close() {
      TearDown.inTurn(loads.values().stream().<Runnable>map(load -> load::close).toList());
    }
  }

  /** The 95th percentile is the largest, because the histograms stay with the generators. */
  @Override
  public LoadProgress progress() {
    Map<String, LoadProgress> each = new LinkedHashMap<>();
    loads.forEach((name, load) -> each.put(name, load.progress()));
    Collection<LoadProgress> all = each.values();
    return new LoadProgress(
        all.stream().mapToInt(LoadProgress::activeUsers).sum(),
        all.stream().mapToLong(LoadProgress::samples).sum(),
        all.stream().mapToLong(LoadProgress::failed).sum(),
        all.stream().mapToDouble(LoadProgress::sumOfLogs).sum(),
        all.stream().mapToDouble(LoadProgress::ratePerSecond).sum(),
        worst(each, LoadProgress::p95Millis).value(),
        worst(each, progress -> progress.cpuShare().value()),
        worst(each, progress -> progress.latenessP99Millis().value()));
  }

  private static Worst worst(
      Map<String, LoadProgress> each, ToDoubleFunction<LoadProgress> number) {
    return Worst.of(
        each.entrySet().stream()
            .map(tile -> new Worst(number.applyAsDouble(tile.getValue()), tile.getKey()))
            .toList());
  }

  @Override
  public boolean isAlive() {
    return loads.values().stream().allMatch(RunningLoad::isAlive);
  }

  @Override
  public Optional<String> failure() {
    return loads.entrySet().stream()
        .flatMap(one -> one.getValue().failure().map(why -> one.getKey() + ": " + why).stream())
        .findFirst();
  }

  @Override
  public Optional<String> lastWords() {
    return loads.values().stream().flatMap(load -> load.lastWords().stream()).findFirst();
  }

  @Override
  public void beginWindow() {
    loads.values().forEach(RunningLoad::beginWindow);
  }

  @Override
  public FinishedLoad cut(Path samples) {
    return each((name, load) -> load.cut(named(samples, name)));
  }

  /** The generators stop at the same time, each after its last answer. */
  @Override
  public FinishedLoad stop() {
    return each((name, load) -> moved(name, load.stop()));
  }

  private FinishedLoad each(BiFunction<String, RunningLoad, FinishedLoad> end) {
    Map<String, CompletableFuture<FinishedLoad>> ends = new LinkedHashMap<>();
    loads.forEach(
        (name, load) ->
            ends.put(
                name,
                CompletableFuture.supplyAsync(
                    () -> end.apply(name, load), task -> new Thread(task, "tile-end").start())));
    List<GeneratorOutput> outputs = new ArrayList<>();
    ends.forEach(
        (name, ended) -> ended(ended).generators().forEach(its -> outputs.add(its.named(name))));
    return new FinishedLoad(outputs);
  }

  private static FinishedLoad ended(CompletableFuture<FinishedLoad> end) {
    try {
      return end.join();
    } catch (CompletionException fault) {
      throw fault.getCause() instanceof RuntimeException cause ? cause : fault;
    }
  }

  /** Each generator writes into a directory of its own; the samples of a trial are in its own. */
  private FinishedLoad moved(String name, FinishedLoad ended) {
    return new FinishedLoad(
        ended.generators().stream()
            .map(
                output -> {
                  Path place = named(directory.resolve(output.samples().getFileName()), name);
                  try {
                    Files.move(output.samples(), place, StandardCopyOption.REPLACE_EXISTING);
                  } catch (IOException fault) {
                    throw new UncheckedIOException("samples of " + name, fault);
                  }
                  return output.at(place);
                })
            .toList());
  }

  /** Returns the file of a part: {@code samples-web-1.jtl.gz}. */
  private static Path named(Path samples, String name) {
    String file = samples.getFileName().toString();
    int dot = file.indexOf('.');
    return samples.resolveSibling(file.substring(0, dot) + "-" + name + file.substring(dot));
  }

  @Override
  public void close() {
    TearDown.inTurn(loads.values().stream().<Runnable>map(load -> load::close).toList());
  }
}
