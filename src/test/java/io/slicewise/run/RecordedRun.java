package io.slicewise.run;

import io.slicewise.base.units.Window;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.load.Load;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HostDescription.CpuPool;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.host.monitor.MonitorResult;
import io.slicewise.profile.Credit;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialHost;
import io.slicewise.run.result.TrialLoad;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.result.TrialTimes;
import io.slicewise.run.validity.Judgement.Finding;
import io.slicewise.run.validity.Rule;
import io.slicewise.stats.Mser5;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A run directory as a sweep leaves it, with numbers that a test chooses. */
public final class RecordedRun {
  private static final Instant NIGHT = Instant.parse("2026-11-20T21:00:00Z");
  private static final Window WINDOW = new Window(NIGHT, NIGHT.plusSeconds(60));

  /** A host {@code dom0.example} with two guests, web and db; again is the baseline once more. */
  public static final String EXPERIMENT =
      """
      name: shop
      host: {address: dom0.example, user: root}
      domains: {main: [web], other: [db]}
      profiles:
        - {name: w256, scheduler: credit, main: {weight: 256}, other: {weight: 256}}
        - {name: again, scheduler: credit, main: {weight: 256}, other: {weight: 256}}
        - {name: w512, scheduler: credit, main: {weight: 512}}
        - {name: both, scheduler: credit, main: {weight: 1024}, other: {weight: 128}}
      workload: {name: web-app, target: "http://web.example/"}
      users: [50, 300]
      repetitions: 6
      """;

  private final Path root;
  private final List<JournalEvent> events = new ArrayList<>();
  private final RunDirectory run;
  private Instant now;

  private RecordedRun(Path root, String experiment, Instant begun) throws IOException {
    this.root = Files.createDirectories(root);
    this.now = begun;
    Files.createDirectories(root.resolve("trials"));
    Files.writeString(root.resolve("experiment.yaml"), experiment);
    this.run = RunDirectory.open(root);
    events.add(new JournalEvent.RunStarted(now, "desk", 1, "1", "root@dom0.example"));
    events.add(new JournalEvent.SettingsFound(now, found()));
  }

  public static RecordedRun begin(Path root, String experiment) {
    return begin(root, experiment, NIGHT);
  }

  public static RecordedRun begin(Path root, String experiment, Instant begun) {
    try {
      return new RecordedRun(root, experiment, begun).on(HypervisorVersion.of(4, 17), 16);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, SchedulerParameters> found() {
    return Map.of("Domain-0", Credit.of(256, 0), "web", Credit.of(256, 0), "db", Credit.of(256, 0));
  }

  /** The same host with facts about it and its database. */
  public RecordedRun fingerprinted(Map<String, String> facts) {
    Environment found = run.environment().orElseThrow();
    run.writeWhole(
        root.resolve("environment.json"),
        new Environment(
            found.at(),
            found.origin(),
            found.address(),
            found.host(),
            found.domains(),
            found.settings(),
            found.monitoring(),
            found.generator(),
            facts));
    return this;
  }

  /** The same, but of another origin than a host. */
  public RecordedRun from(Origin.Kind kind) {
    Environment found = run.environment().orElseThrow();
    run.writeWhole(
        root.resolve("environment.json"),
        new Environment(
            found.at(),
            new Origin(kind, "not measured"),
            found.address(),
            found.host(),
            found.domains(),
            found.settings(),
            found.monitoring(),
            found.generator(),
            found.fingerprint()));
    return this;
  }

  /** The host it ran on. */
  public RecordedRun on(HypervisorVersion xen, int pcpus) {
    run.writeWhole(
        root.resolve("environment.json"),
        new Environment(
            now,
            new Origin(Origin.Kind.HOST, "measured on dom0.example"),
            "root@dom0.example",
            new HostDescription(
                "xl",
                xen,
                "6.1.0",
                pcpus,
                2400,
                "credit",
                List.of(new CpuPool("Pool-0", pcpus, "credit", 3))),
            List.of(
                new Domain("Domain-0", 0, 4, 0, "Pool-0"),
                new Domain("web", 1, 4, 0, "Pool-0"),
                new Domain("db", 2, 2, 0, "Pool-0")),
            found(),
            new Environment.Monitoring("xenmon", 0.1, 0.2),
            new Environment.Generator("desk", "Linux", 8, "17", "1", 0.1),
            Map.of()));
    return this;
  }

  /** A valid trial of that throughput and p95; its mean is half of p95. */
  public RecordedRun trial(
      int number, String profile, int users, int block, double throughput, double p95) {
    return trial(number, profile, users, block, throughput, p95, List.of());
  }

  public RecordedRun trial(
      int number,
      String profile,
      int users,
      int block,
      double throughput,
      double p95,
      List<String> reasons) {
    Trial trial = new Trial(number, block, profile, Load.of(users), block);
    return trial(trial, throughput, p95, 0, excluding(reasons));
  }

  /** A trial of that throughput and p95; its mean is half of p95. */
  public RecordedRun trial(Trial trial, double throughput, double p95, List<String> reasons) {
    return trial(trial, throughput, p95, 0, excluding(reasons));
  }

  /** A trial of that throughput and p95 with findings of the rules. */
  public RecordedRun found(Trial trial, double throughput, double p95, List<Finding> findings) {
    return trial(trial, throughput, p95, 0, findings);
  }

  private static List<Finding> excluding(List<String> reasons) {
    return reasons.stream().map(reason -> new Finding(Rule.ERRORS, true, reason, "")).toList();
  }

  /** A trial was planned with its settings. */
  public RecordedRun planned(PlannedTrial one) {
    events.add(
        new JournalEvent.TrialsPlanned(
            now, List.of(one.trial()), List.of(one.profile()), List.of(), "", one.purpose()));
    return this;
  }

  /** A valid trial in which so many of a thousand requests failed. */
  public RecordedRun failing(
      int number, String profile, int users, int block, double throughput, double p95, int failed) {
    Trial trial = new Trial(number, block, profile, Load.of(users), block);
    return trial(trial, throughput, p95, failed, List.of());
  }

  private RecordedRun trial(
      Trial trial, double throughput, double p95, int perThousand, List<Finding> findings) {
    return trial(result(trial, throughput, p95, perThousand, findings));
  }

  /** The result of a trial with those findings. */
  public static TrialResult result(Trial trial, List<Finding> findings) {
    return result(trial, 100, 200, 0, findings);
  }

  private static TrialResult result(
      Trial trial, double throughput, double p95, int perThousand, List<Finding> findings) {
    LoadResult load =
        UncountedLoad.of(
            "total",
            Math.round(throughput * 60),
            Math.round(throughput * 60 * perThousand / 1000),
            Map.of(),
            throughput,
            p95 / 2,
            p95 / 10,
            p95 / 2.2,
            p95,
            Double.NaN,
            0,
            "",
            List.of(),
            List.of(),
            Mser5.of());
    return result(trial, TrialLoad.of(load), findings);
  }

  /** A valid trial in which nothing was loaded. */
  public RecordedRun watched(Trial trial) {
    return trial(result(trial, TrialLoad.NONE, List.of()));
  }

  private static TrialResult result(Trial trial, TrialLoad load, List<Finding> findings) {
    return new TrialResult(
        trial,
        findings,
        List.of(),
        new TrialTimes(WINDOW, WINDOW, Map.of()),
        TrialHost.of(16, Map.of()),
        load,
        List.of(
            HypervisorShares.observation(
                new MonitorResult(
                    "xenmon",
                    WINDOW,
                    List.of(
                        new DomainShares("web", 1, 4, 0.5, 0.2, 0.3, ""),
                        trial.profile().equals("w512")
                            ? new DomainShares("db", 2, 2, 0.2, 0.15, 0.65, "")
                            : new DomainShares("db", 2, 2, 0.2, 0.1, 0.7, "")),
                    List.of(),
                    List.of()))));
  }

  /** A trial as it is. */
  public RecordedRun trial(TrialResult result) {
    Trial trial = result.trial();
    try {
      Files.createDirectories(run.trialDirectory(trial.slug()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String sum = run.writeResult(result);
    now = now.plusSeconds(90);
    events.add(JournalEvent.TrialFinished.of(now, result, sum));
    return this;
  }

  /** The settings of web were changed and put back. */
  public RecordedRun restored() {
    events.add(new JournalEvent.Applying(now, "web", Credit.of(256, 0), Credit.of(512, 0)));
    events.add(new JournalEvent.Restored(now, Map.of("web", Credit.of(256, 0)), Map.of()));
    return this;
  }

  /** Writes the journal. */
  public RunDirectory end() {
    events.add(new JournalEvent.RunEnded(now, RunState.DONE, "done"));
    try (Journal journal = Journal.open(run.journalFile())) {
      events.forEach(journal::append);
    }
    return run;
  }
}
