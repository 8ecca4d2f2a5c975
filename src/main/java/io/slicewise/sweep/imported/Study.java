package io.slicewise.sweep.imported;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Sha256;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Window;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.experiment.Trial;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HostDescription.CpuPool;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.monitor.MonitorResult;
import io.slicewise.host.monitor.Recordings;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.load.jtl.ReductionOptions;
import io.slicewise.load.jtl.Reductions;
import io.slicewise.profile.Scheduler;
import io.slicewise.run.ComputedRun;
import io.slicewise.run.Environment;
import io.slicewise.run.Origin;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunOutcome;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.LoadResults;
import io.slicewise.run.result.TrialLoad;
import io.slicewise.run.result.TrialResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * An earlier study: an experiment file that describes it, and its result files.
 *
 * <p>The window of a trial is determined as follows: the load begins with the first sample of its
 * file; the experiment's warm-up, in which all users start, is excluded; the window is as long as
 * the experiment says, or ends with the last sample.
 *
 * @param logs xenmon's, by trial; a trial may have none
 * @param monitorDelay from the first sample to xenmon's first pass; negative if xenmon came first
 */
public record Study(
    Experiment experiment,
    Matches samples,
    Map<Trial, List<Path>> logs,
    StudiedHost host,
    Duration monitorDelay) {
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  public Study {
    logs = new LinkedHashMap<>(logs);
  }

  /**
   * A run imported from a study's files.
   *
   * @param refused trials whose file could not be used, each with the reason
   * @param unknowable what the files cannot say, in sentences
   */
  public record Imported(
      RunDirectory run, RunOutcome outcome, List<String> refused, List<String> unknowable) {
    public Imported {
      unknowable = List.copyOf(unknowable);
      refused = List.copyOf(refused);
    }
  }

  /** Imports the run; passes each trial to a listener when it is done. */
  public Imported into(Path results, Clock clock, Consumer<TrialResult> listener) {
    List<String> refused = new ArrayList<>();
    List<TrialResult> kept = new ArrayList<>();
    Copies copies = new Copies();
    try (ComputedRun run = ComputedRun.begin(experiment, results, environment(clock), clock)) {
      samples
          .files()
          .forEach(
              (trial, files) -> {
                try {
                  copies.refuse(files.get(0));
                  kept.add(run.keep(trial(trial, files.get(0))));
                  listener.accept(kept.get(kept.size() - 1));
                } catch (SlicewiseException unusable) {
                  refused.add(trial.slug() + ": " + unusable.getMessage());
                }
              });
      RunDirectory directory = run.directory();
      List<String> unknowable = unknowable(kept);
      Map<String, Object> sources = sources(refused);
      sources.put("unknowable", unknowable);
      directory.writeWhole(directory.root().resolve("imported.json"), sources);
      return new Imported(directory, run.end(), refused, unknowable);
    }
  }

  /** Files of successes only look the same as files without errors. */
  private static List<String> unknowable(List<TrialResult> kept) {
    long requests = sum(kept, LoadResult::samples);
    return requests == 0 || sum(kept, LoadResult::failed) > 0
        ? List.of()
        : List.of(
            Phrase.of(
                "errors: none of %d requests failed; if the study kept successes only, as its"
                    + " scripts may have, errors are unknown and not 0",
                requests));
  }

  private static long sum(List<TrialResult> kept, ToLongFunction<LoadResult> count) {
    return kept.stream().flatMap(result -> result.load().stream()).mapToLong(count).sum();
  }

  private ComputedRun.Computed trial(Trial trial, Path file) {
    ReductionOptions options = ReductionOptions.standard();
    Window whole = Reductions.reduce(file, options).window();
    Instant begun = whole.start();
    Window warmUp = new Window(begun, begun.plus(experiment.warmUp()));
    Instant planned = warmUp.end().plus(experiment.measure());
    Instant end = planned.isBefore(whole.end()) ? planned : whole.end();
    if (end.isBefore(warmUp.end().plus(SHORTEST))) {
      throw new SlicewiseException(
          ErrorKind.NO_VALID_DATA,
          Phrase.of(
              "%s lasts %.1f s, which leaves no window after the warm-up of %.1f s",
              file, whole.seconds(), warmUp.seconds()),
          "Shorten the warm-up of the experiment.");
    }
    Window window = new Window(warmUp.end(), end);
    Reduction load =
        Reductions.reduce(file, window, options)
            .ofRequests(file, "Only files with their requests can be imported.");
    return new ComputedRun.Computed(
        trial,
        warmUp,
        window,
        experiment.settings(experiment.profile(trial.profile())),
        TrialLoad.of(LoadResults.of(load, window)),
        monitor(trial, begun, window, remarks(file, load, window, planned)));
  }

  private static List<String> remarks(Path file, Reduction load, Window window, Instant planned) {
    List<String> remarks = new ArrayList<>();
    if (window.end().isBefore(planned)) {
      remarks.add(
          Phrase.of(
              "%s ends %.1f s before the window, which was shortened to %.1f s",
              file.getFileName(),
              Duration.between(window.end(), planned).toMillis() / 1e3,
              window.seconds()));
    }
    load.doubts().forEach(doubt -> remarks.add(file.getFileName() + ": doubtful: " + doubt));
    if (load.leftOut().parts() > 0) {
      remarks.add(
          Phrase.of(
              "%s: %d rows are parts of a request above them (redirects, embedded resources) and"
                  + " not counted",
              file.getFileName(), load.leftOut().parts()));
    }
    for (Reduction.Damage damage : load.damage()) {
      remarks.add(
          "%s: %s × %s, first on line %s"
              .formatted(
                  file.getFileName(), damage.count(), damage.kind(), damage.firstLines().get(0)));
    }
    return remarks;
  }

  private MonitorResult monitor(Trial trial, Instant begun, Window window, List<String> remarks) {
    List<Path> files = logs.getOrDefault(trial, List.of());
    if (files.isEmpty()) {
      return MonitorResult.none(window.start(), remarks);
    }
    return Recordings.xenmon(
        files,
        host.description(scheduler()),
        begun.plus(monitorDelay),
        window,
        host.domains(),
        remarks);
  }

  private String scheduler() {
    return experiment.profiles().stream()
        .flatMap(profile -> profile.scheduler().stream())
        .map(Scheduler::xenName)
        .findFirst()
        .orElse("unknown");
  }

  private Environment environment(Clock clock) {
    String address = experiment.host().map(HostSpec::address).orElse("an unnamed host");
    return Environment.imported(
        clock.instant(),
        Origin.imported(
            "trials of an earlier study on %s, from its files; Slicewise measured none of them"
                .formatted(address)),
        address,
        host.description(scheduler()),
        host.domains(),
        logs.isEmpty() ? MonitorResult.NONE : "xenmon");
  }

  /** The source file of each trial, for the run directory. */
  private Map<String, Object> sources(List<String> refused) {
    Map<String, Object> trials = new LinkedHashMap<>();
    samples
        .files()
        .forEach(
            (trial, files) -> {
              Map<String, Object> of = new LinkedHashMap<>();
              of.put("samples", files.get(0).toAbsolutePath().toString());
              of.put(
                  "xenmon",
                  logs.getOrDefault(trial, List.of()).stream()
                      .map(log -> log.toAbsolutePath().toString())
                      .toList());
              trials.put(trial.slug(), of);
            });
    Map<String, Object> sources = new LinkedHashMap<>();
    sources.put("trials", trials);
    sources.put("missing", samples.missing().stream().map(Trial::slug).toList());
    sources.put("strange", samples.strange());
    sources.put("refused", refused);
    return sources;
  }

  /** Detects result files with identical content, which are one measurement. */
  static final class Copies {
    private final Map<String, Path> seen = new HashMap<>();

    /**
     * Adds a file.
     *
     * @throws SlicewiseException if a file with the same content was added before, or it cannot be
     *     read
     */
    void refuse(Path file) {
      Path first = seen.putIfAbsent(hash(file), file);
      if (first != null) {
        throw new SlicewiseException(
            ErrorKind.NO_VALID_DATA,
            file + " is identical to " + first + ": both are one measurement, which counts once",
            "Find the file of the other repetition, or omit it.");
      }
    }

    private static String hash(Path file) {
      try {
        return Sha256.of(file);
      } catch (IOException failure) {
        throw FileFault.unreadable(file, failure);
      }
    }
  }

  /**
   * The known facts about the host of a study.
   *
   * @param version determines the columns of xenmon's wait
   * @param pcpus 0 if unknown
   * @param domains with their ids in the logs, and their vCPUs
   */
  public record StudiedHost(HypervisorVersion version, int pcpus, List<Domain> domains) {
    private static final String POOL = "Pool-0";

    public StudiedHost {
      domains = List.copyOf(domains);
    }

    HostDescription description(String scheduler) {
      return new HostDescription(
          "unknown",
          version,
          "",
          pcpus,
          Double.NaN,
          scheduler,
          List.of(new CpuPool(POOL, pcpus, scheduler, domains.size())));
    }
  }
}
