package io.slicewise.sweep.preflight;

import io.slicewise.base.units.Phrase;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Generators.GeneratorSpec;
import io.slicewise.load.generator.JavaCommand;
import io.slicewise.load.spread.LoadCalibration;
import io.slicewise.load.spread.LoadCapacity;
import io.slicewise.load.spread.MachineFacts;
import io.slicewise.load.spread.SplitPlan.SplitFindings;
import io.slicewise.load.spread.SpreadGenerator;
import io.slicewise.load.spread.SpreadGenerator.Looked;
import io.slicewise.ssh.SshAddress;
import io.slicewise.sweep.LoadGenerators;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Checks the machines that generate the load, if an experiment names any. */
public final class GeneratorsCheck {
  private static final String SUBJECT = "generator";
  private static final double BOUND_SHARE = 0.01;

  private final Experiment experiment;
  private final List<GeneratorSpec> machines;
  private final List<CheckResult> findings = new ArrayList<>();

  private GeneratorsCheck(Experiment experiment) {
    this.experiment = experiment;
    this.machines = experiment.generators().machines();
  }

  static List<CheckResult> check(Experiment experiment) {
    if (experiment.generators().isHere() || !experiment.workload().loads()) {
      List<CheckResult> here = new ArrayList<>(List.of(GeneratorCheck.check(experiment)));
      GeneratorShares.here(experiment).ifPresent(here::add);
      return List.copyOf(here);
    }
    GeneratorsCheck check = new GeneratorsCheck(experiment);
    if (experiment.generators().servers().isPresent()) {
      check.findings.add(GeneratorShares.of(experiment).split());
      check.findings.add(GeneratorCheck.check(experiment));
    } else {
      check.machines();
    }
    check.plan();
    return List.copyOf(check.findings);
  }

  private void machines() {
    try (SpreadGenerator generators =
        new SpreadGenerator(
            LoadGenerators.machines(experiment), LoadGenerators.rules(experiment))) {
      List<Looked> looked = generators.look();
      looked.forEach(one -> findings.addAll(MachineNeeds.of(one)));
      looked.forEach(this::clock);
      if (experiment.lab().isEmpty()) {
        findings.addAll(sameMachine(looked));
        places();
      }
    }
    GeneratorShares shares = GeneratorShares.of(experiment);
    // What the lab's machines carry cannot be measured: they end with the lab.
    findings.addAll(experiment.lab().isPresent() ? List.of(shares.split()) : shares.findings());
  }

  /** What of the plan cannot be split. */
  private void plan() {
    SplitFindings split = LoadGenerators.findings(experiment);
    for (String fault : split.faults()) {
      findings.add(CheckResult.blocking("plan", fault, SplitFindings.WAY_OUT));
    }
    for (String warning : split.warnings()) {
      findings.add(CheckResult.warning("plan", warning, "add rows to the file"));
    }
  }

  private void clock(Looked machine) {
    double window = experiment.measure().toNanos() / 1e6;
    machine
        .facts()
        .map(facts -> facts.clock().bound().toNanos() / 1e6)
        .filter(bound -> bound > BOUND_SHARE * window)
        .ifPresent(
            bound ->
                findings.add(
                    CheckResult.warning(
                        SUBJECT,
                        Phrase.of(
                            "%s: its clock is known only to ±%.1f ms, more than 1 %% of the window",
                            machine.name(), bound),
                        "the way to it is long: measure longer windows")));
  }

  /** A generator takes processors from what runs beside it. */
  private void places() {
    experiment
        .workload()
        .target()
        .map(URI::getHost)
        .ifPresent(
            host -> refuseAt(new SshAddress(host, OptionalInt.empty()), "the target's machine"));
    experiment
        .host()
        .map(host -> new SshAddress(SshAddress.typed(host.address()).host(), OptionalInt.empty()))
        .ifPresent(host -> refuseAt(host, "the host under test"));
  }

  private void refuseAt(SshAddress place, String what) {
    for (GeneratorSpec machine : machines) {
      if (!machine.local()
          && !place.host().startsWith("127.")
          && SshAddress.typed(machine.address()).leadsWhere(place)) {
        findings.add(
            CheckResult.blocking(
                SUBJECT,
                "%s is %s".formatted(machine.name(), what),
                "generate the load on another machine"));
      }
    }
  }

  /** Returns a finding for each machine that has two names. */
  public static List<CheckResult> sameMachine(List<Looked> machines) {
    List<CheckResult> twice = new ArrayList<>();
    for (int place = 0; place < machines.size(); place++) {
      for (Looked earlier : machines.subList(0, place)) {
        Looked one = machines.get(place);
        if (!id(one).isEmpty() && id(one).equals(id(earlier))) {
          twice.add(
              CheckResult.blocking(
                  SUBJECT,
                  "%s and %s are one machine: both have the boot id %s"
                      .formatted(earlier.name(), one.name(), id(one)),
                  "two generators on one machine share its processors: name it once"));
        }
      }
    }
    return List.copyOf(twice);
  }

  private static String id(Looked machine) {
    return machine.facts().map(MachineFacts::bootId).orElse("");
  }

  /**
   * Returns the finding about a capacity.
   *
   * @param rounds in which it was measured
   */
  public static CheckResult capacity(
      String machine, LoadCapacity capacity, List<LoadCalibration.Round> rounds) {
    LoadCalibration.Round last = rounds.get(rounds.size() - 1);
    String sentence =
        Phrase.of(
            "%s carries %s%s; %s",
            machine,
            capacity.reached() ? "" : "at least ",
            rate(capacity),
            !last.reached()
                ? "no limit was reached with %d users".formatted(last.last().users())
                : Phrase.of(
                    "with more, its timers were %.1f ms late (p99) and its machine %.0f %% busy",
                    last.beyond().latenessMillis(), 100 * last.beyond().busyShare()));
    return capacity.perSecond() > 0
        ? CheckResult.ok(SUBJECT, sentence)
        : CheckResult.blocking(
            SUBJECT,
            sentence,
            "the machine is busy with other work: end it, or use another machine");
  }

  /** Returns the rate of a capacity with its interval. */
  static String rate(LoadCapacity capacity) {
    return Phrase.of(
        "%,.0f requests/s%s",
        capacity.perSecond(),
        Double.isNaN(capacity.low())
            ? ""
            : Phrase.of(
                " (95 %% CI %,.0f to %,.0f, %d rounds)",
                Math.max(0, capacity.low()), capacity.high(), capacity.rounds()));
  }

  /**
   * Checks that this machine can generate the load: memory for the generators' JVMs, and
   * processors.
   */
  private static final class GeneratorCheck {
    private static final Path MEMORY = Path.of("/proc/meminfo");

    /** The memory of a JVM in addition to its heap: code, classes, threads, buffers. */
    private static final long BESIDE_HEAP = 200;

    private static final double BUSY = 0.5;

    private GeneratorCheck() {}

    static CheckResult check(Experiment experiment) {
      int processors = Runtime.getRuntime().availableProcessors();
      double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
      if (!experiment.workload().loads()) {
        return CheckResult.ok(
            "generator",
            experiment.workload().live()
                ? "none needed: the site's own users are the load"
                : "none needed: nothing is loaded");
      }
      int users = experiment.users().stream().mapToInt(Integer::intValue).max().orElse(0);
      // The next trial's generator starts while the last one still runs.
      long needed = 2 * (JavaCommand.heapMegabytes(users) + BESIDE_HEAP);
      OptionalLong available = availableMegabytes();
      if (available.isPresent() && available.getAsLong() < needed) {
        return CheckResult.blocking(
            "generator",
            Phrase.of(
                "two generators of %d users need %d MB, this machine has %d MB left",
                users, needed, available.getAsLong()),
            "end other programs, use fewer users, or run from a bigger machine");
      }
      String sentence =
          Phrase.of(
              "%d processors, load average %.1f; two generators of %d users need %d MB%s",
              processors,
              load,
              users,
              needed,
              available.isPresent() ? " of " + available.getAsLong() + " MB left" : "");
      return processors < 2 || load > BUSY * processors
          ? CheckResult.warning(
              "generator", sentence, "a busy generator lengthens response times; keep it idle")
          : CheckResult.ok("generator", sentence);
    }

    private static OptionalLong availableMegabytes() {
      try (Stream<String> lines = Files.lines(MEMORY)) {
        return lines
            .filter(line -> line.startsWith("MemAvailable:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
            .findFirst();
      } catch (IOException e) {
        return OptionalLong.empty();
      }
    }
  }
}
