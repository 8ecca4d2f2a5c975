package io.slicewise.sweep.preflight;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.experiment.Plan;
import io.slicewise.host.Domain;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.Rival;
import io.slicewise.host.Undo.Change;
import io.slicewise.host.monitor.Monitor;
import io.slicewise.host.monitor.MonitorResult;
import io.slicewise.host.monitor.Monitors;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.Role;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.validity.ShareRules;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.sweep.GuestMemory;
import io.slicewise.sweep.guard.HostShells;
import io.slicewise.sweep.preflight.CheckResult.Level;
import io.slicewise.sweep.preflight.HostCheck.Reached;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** All checks before a run of an experiment, in a sensible order. */
public final class Preflight {
  private Experiment experiment;
  private final Path results;
  private final Function<HostSpec, RemoteShell> opened;
  private boolean recording;
  private final List<CheckResult> findings = new ArrayList<>();

  private Preflight(Experiment experiment, Path results, Function<HostSpec, RemoteShell> opened) {
    this.experiment = experiment;
    this.results = results;
    this.opened = opened;
  }

  /**
   * Checks everything the experiment needs and changes nothing. Problems are findings, never
   * exceptions.
   *
   * @param results the directory for run directories; need not exist
   */
  public static List<CheckResult> examine(Experiment experiment, Path results) {
    return new Preflight(experiment, results, HostShells::open).examine();
  }

  /**
   * Sends the host the commands of all checks, and those that read what a run reads of it, and
   * keeps the answers in the run directory.
   */
  public static List<CheckResult> record(Experiment experiment, RunDirectory run) {
    Preflight preflight =
        new Preflight(experiment, run.root(), spec -> HostShells.recorded(spec, run));
    preflight.recording = true;
    preflight.host();
    return List.copyOf(preflight.findings);
  }

  /** Reads what a run reads around each trial. */
  private static List<CheckResult> readAll(Reached host) {
    host.hypervisor().settings();
    host.hypervisor().guests();
    host.hypervisor().state();
    return List.of();
  }

  /** Returns why this machine cannot generate the load now; nothing if other machines do. */
  public static List<String> obstaclesHere(Experiment experiment) {
    return experiment.generators().isHere()
        ? GeneratorsCheck.check(experiment).stream()
            .filter(finding -> finding.level() == Level.BLOCKING)
            .map(finding -> "%s: %s".formatted(finding.sentence(), finding.wayOut()))
            .toList()
        : List.of();
  }

  /** Whether the findings prevent a run. */
  public static boolean blocks(List<CheckResult> findings) {
    return findings.stream().anyMatch(finding -> finding.level() == Level.BLOCKING);
  }

  private List<CheckResult> examine() {
    host();
    check("workload", this::workload);
    check("generator", () -> GeneratorsCheck.check(experiment));
    check("disk here", () -> List.of(SpaceCheck.here(experiment, results)));
    return List.copyOf(findings);
  }

  private List<CheckResult> workload() {
    List<CheckResult> found = new ArrayList<>();
    experiment = GuestMemory.sized(experiment, said -> found.add(CheckResult.ok("workload", said)));
    found.addAll(WorkloadCheck.check(experiment));
    return found;
  }

  private void host() {
    if (experiment.host().isEmpty()) {
      findings.add(
          CheckResult.blocking(
              "host", "the experiment names no host", "add 'host:' with its address"));
      return;
    }
    HostCheck check = new HostCheck(experiment, opened);
    Optional<Reached> reached = check.reach();
    findings.addAll(check.findings());
    if (reached.isEmpty()) {
      return;
    }
    try (Reached host = reached.get()) {
      if (GuestPatterns.hasAny(experiment)) {
        check("domains", () -> resolve(host));
      }
      check("domains", () -> DomainsCheck.check(experiment, host));
      check("profiles", () -> ProfilesCheck.check(experiment, host));
      check("other tuning", () -> RivalsCheck.check(experiment, host));
      check("idle guests", () -> IdleGuestsCheck.check(experiment, host));
      check("dead man", () -> SwitchCheck.check(experiment, host));
      check("monitor", () -> MonitorCheck.check(host));
      check("machines", () -> MachinesCheck.check(experiment, host));
      if (recording) {
        check("state", () -> readAll(host));
      }
      check("disk there", () -> List.of(SpaceCheck.there(experiment, host)));
    }
  }

  private List<CheckResult> resolve(Reached host) {
    experiment = GuestPatterns.resolved(experiment, host.hypervisor().guests().keySet());
    return List.of();
  }

  private void check(String subject, Supplier<List<CheckResult>> check) {
    try {
      findings.addAll(check.get());
    } catch (RemoteShellException e) {
      findings.add(CheckResult.blocking(subject, e.getMessage(), e.hint()));
    } catch (HypervisorException e) {
      findings.add(CheckResult.blocking(subject, e.getMessage(), e.hint()));
    } catch (SlicewiseException e) {
      findings.add(CheckResult.blocking(subject, e.getMessage(), e.hint()));
    }
  }

  /** Checks that the experiment's domains run on the host, each in the right pool. */
  private static final class DomainsCheck {
    private DomainsCheck() {}

    static List<CheckResult> check(Experiment experiment, Reached host) {
      List<CheckResult> findings = new ArrayList<>();
      List<String> present = new ArrayList<>();
      Optional<String> wantedPool = experiment.host().flatMap(HostSpec::cpupool);
      for (Role role : Role.values()) {
        for (String name : experiment.domains().getOrDefault(role, List.of())) {
          Optional<Domain> domain =
              host.domains().stream().filter(each -> each.name().equals(name)).findFirst();
          if (domain.isPresent()) {
            present.add(words(domain.get()));
            elsewhere(domain.get(), role, wantedPool).ifPresent(findings::add);
          } else if (role != Role.DOM0 || host.hypervisor().kind().controlDomain().isPresent()) {
            findings.add(missing(name, host));
          }
        }
      }
      Set<String> set =
          experiment.searchedPools().isEmpty()
              ? Set.of()
              : Setting.byName(host.hypervisor().settings()).keySet();
      experiment.searchedPools().stream()
          .filter(pool -> !set.contains(pool))
          .map(
              pool ->
                  CheckResult.blocking(
                      "cpupools",
                      "%s %s".formatted(pool, host.hypervisor().whyMissing(pool)),
                      "fix the name of the pool or the profile's scheduler"))
          .forEach(findings::add);
      if (!present.isEmpty()) {
        findings.add(0, CheckResult.ok("domains", String.join(", ", present)));
      }
      return findings;
    }

    private static String words(Domain domain) {
      return "%s (%s, %s)"
          .formatted(domain.name(), Plural.of(domain.vcpus(), "vCPU"), domain.cpupool());
    }

    private static CheckResult missing(String name, Reached host) {
      String there =
          host.domains().stream().map(Domain::name).sorted().collect(Collectors.joining(", "));
      return CheckResult.blocking(
          "domains",
          "domain %s %s".formatted(name, host.hypervisor().whyMissing(name)),
          "start it, or fix its name; running are: " + there);
    }

    private static Optional<CheckResult> elsewhere(
        Domain domain, Role role, Optional<String> wantedPool) {
      return wantedPool
          .filter(pool -> role != Role.DOM0 && !pool.equals(domain.cpupool()))
          .map(
              pool ->
                  CheckResult.blocking(
                      "domains",
                      domain.name() + " runs in " + domain.cpupool() + ", not in " + pool,
                      "move it there with cpupool-migrate (its weight and cap are then reset), or set"
                          + " "
                          + domain.cpupool()
                          + " in the experiment"));
    }
  }

  /** Checks that the host can run a dead man's switch; changes nothing. */
  private static final class SwitchCheck {
    /** Prints what is missing. */
    private static final String LOOK =
        """
        for program in setsid readlink grep sed tr cut mv; do
          command -v $program >/dev/null || echo "$program"
        done
        [ -r /proc/uptime ] || echo /proc/uptime
        [ -w /var/lib ] || echo "a writable /var/lib"
        """;

    private SwitchCheck() {}

    static List<CheckResult> check(Experiment experiment, Reached host) {
      HostSpec spec = experiment.host().orElseThrow();
      return spec.deadMan()
          .map(limit -> List.of(check(spec, experiment.targets(), host, limit)))
          .orElse(List.of());
    }

    private static CheckResult check(
        HostSpec spec, Set<String> targets, Reached host, Duration limit) {
      CommandResult looked =
          host.shell().run(Command.reading("sh", "-c", LOOK).throughSudo(spec.sudo()));
      List<String> missing = new ArrayList<>(looked.standardOutput().lines().toList());
      if (!looked.succeeded() && missing.isEmpty()) {
        missing.add("sh");
      }
      host.hypervisor().settings().stream()
          .filter(one -> targets.contains(one.target().name()) && isInexpressible(host, one))
          .forEach(one -> missing.add("the commands to restore " + one.target().name()));
      return missing.isEmpty()
          ? CheckResult.ok(
              "dead man",
              "the host can restore itself %s after the last heartbeat: setsid, sh and a writable /var/lib"
                  .formatted(DurationText.of(limit)))
          : CheckResult.blocking(
              "dead man",
              "the host lacks %s for a dead man's switch".formatted(String.join(", ", missing)),
              "install it (setsid is in util-linux and busybox), or remove dead-man below host:");
    }

    private static boolean isInexpressible(Reached host, Setting found) {
      return host.hypervisor().unrestorable(found.parameters()).isEmpty()
          && host.hypervisor().undo(found.target(), Change.ofAll(found.parameters())).isEmpty();
    }
  }

  /** Checks which monitor the host offers, and which of its limitations apply here. */
  private static final class MonitorCheck {
    private static final int XENMON_DOMAINS = 31;

    private MonitorCheck() {}

    static List<CheckResult> check(Reached host) {
      if (host.hypervisor().kind().bare()) {
        return List.of();
      }
      Monitor monitor = Monitors.probe(host.shell(), host.description(), host.sudo());
      List<CheckResult> findings = new ArrayList<>();
      findings.add(verdict(monitor, host.hypervisor().kind().monitors().isEmpty()));
      if (monitor.name().equals("xenmon")) {
        findings.addAll(xenmonTraps(host.domains()));
      }
      return findings;
    }

    private static CheckResult verdict(Monitor monitor, boolean noneFits) {
      String because =
          monitor.remarks().isEmpty() ? "" : ": " + String.join("; ", monitor.remarks());
      return switch (monitor.name()) {
        case "xentop" ->
            CheckResult.warning(
                "monitor",
                "only xentop" + because,
                "install xentrace and xenalyze, or xenmon, to measure wait and blocked");
        case MonitorResult.NONE ->
            CheckResult.warning(
                "monitor",
                "none" + because,
                noneFits ? "" : "install xentrace and xenalyze, or xenmon, to measure shares");
        default ->
            CheckResult.ok(
                "monitor", "run, wait and blocked come from " + monitor.name() + because);
      };
    }

    private static List<CheckResult> xenmonTraps(List<Domain> domains) {
      List<CheckResult> traps = new ArrayList<>();
      String several =
          domains.stream()
              .filter(domain -> domain.vcpus() > 1)
              .map(Domain::name)
              .collect(Collectors.joining(", "));
      if (!several.isEmpty()) {
        traps.add(
            CheckResult.warning(
                "monitor",
                "xenmon is not well tested with several vCPUs (" + several + ")",
                "compare the run share with the CPU seconds of xl list"));
      }
      if (domains.size() > XENMON_DOMAINS) {
        traps.add(
            CheckResult.warning(
                "monitor",
                "xenmon follows " + XENMON_DOMAINS + " domains, the host runs " + domains.size(),
                "shares of the others are not measured; use xentrace and xenalyze instead"));
      }
      return traps;
    }
  }

  /** Which programs of the host set what the experiment's profiles set. */
  static final class RivalsCheck {
    private RivalsCheck() {}

    static List<CheckResult> check(Experiment experiment, Reached host) {
      Set<String> set =
          experiment.profiles().stream()
              .flatMap(profile -> experiment.settings(profile).values().stream())
              .flatMap(parameters -> changed(parameters).stream())
              .collect(Collectors.toSet());
      return Rival.on(host.shell()).stream()
          .map(rival -> finding(rival, rival.among(set)))
          .toList();
    }

    private static Set<String> changed(SchedulerParameters parameters) {
      Set<String> asFound = parameters.leftAsFound();
      return parameters.scheduler().parameters().stream()
          .map(Parameter::key)
          .filter(key -> !asFound.contains(key))
          .collect(Collectors.toSet());
    }

    private static CheckResult finding(Rival rival, List<String> shared) {
      String runs = rival.name() + " runs on the host and " + rival.does();
      return shared.isEmpty()
          ? CheckResult.ok("other tuning", runs + "; no profile sets the same")
          : CheckResult.warning(
              "other tuning",
              "%s; the profiles set %s as well".formatted(runs, String.join(", ", shared)),
              "stop it for the run: " + rival.stop());
    }
  }

  /**
   * Looks which guests are idle, and so count as not there, where trials load some of them: paused
   * ones, too, since they do not run.
   */
  static final class IdleGuestsCheck {
    /** Listings resolve 0.1 s of CPU time: 1 % of one vCPU. */
    private static final Duration LOOK = Duration.ofSeconds(10);

    private static final double RESOLUTION = 0.1;

    private IdleGuestsCheck() {}

    static List<CheckResult> check(Experiment experiment, Reached host) {
      Set<String> unloaded = new TreeSet<>();
      experiment.loads().forEach(load -> unloaded.addAll(experiment.unloaded(load)));
      if (unloaded.isEmpty()) {
        return List.of();
      }
      List<Domain> before = host.hypervisor().domains();
      long began = System.nanoTime();
      try {
        TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return List.of();
      }
      List<Domain> after = host.hypervisor().domains();
      return judge(unloaded, before, after, (System.nanoTime() - began) / 1e9);
    }

    /**
     * @param seconds between both listings
     */
    static List<CheckResult> judge(
        Set<String> unloaded, List<Domain> before, List<Domain> after, double seconds) {
      List<String> idle = new ArrayList<>();
      List<CheckResult> findings = new ArrayList<>();
      for (Domain now : after) {
        Optional<Domain> then = before.stream().filter(now::isSame).findFirst();
        if (then.isPresent() && unloaded.contains(now.name())) {
          double used = now.cpuSeconds() - then.get().cpuSeconds();
          double share = used / seconds / now.vcpus();
          if ((used - RESOLUTION) / seconds / now.vcpus() > ShareRules.UNLOADED) {
            findings.add(
                CheckResult.warning(
                    "idle guests",
                    Phrase.of(
                        "%s ran %.1f %% of its vCPU time without a load (limit %.0f %%), and trials in"
                            + " which it should be idle would not count",
                        now.name(), 100 * share, 100 * ShareRules.UNLOADED),
                    "stop its work, pause it, or shut it down"));
          } else {
            idle.add(Phrase.of("%s (%.1f %%)", now.name(), 100 * share));
          }
        }
      }
      if (!idle.isEmpty()) {
        findings.add(
            0,
            CheckResult.ok(
                "idle guests",
                Phrase.of(
                    "count as not there while they are not loaded, by their vCPU time in %.0f s: %s",
                    seconds, String.join(", ", idle))));
      }
      return findings;
    }
  }

  /**
   * Checks that the disks have space for a run: samples here, a trial's trace or logs on the host.
   */
  private static final class SpaceCheck {
    /** A compressed sample; measured ones take 8 to 20 bytes. */
    private static final double BYTES_PER_SAMPLE = 20;

    private static final double ASSUMED_RATE = 1000;
    private static final double LEAST_HERE = 500e6;

    /** Runstate records of a busy host: about 30,000 changes per second of about 30 bytes. */
    private static final double TRACE_BYTES_PER_SECOND = 1e6;

    /** The space that xentrace always leaves free. */
    private static final double LEAST_THERE = 512e6;

    private SpaceCheck() {}

    static CheckResult here(Experiment experiment, Path results) {
      int trials = Plan.of(experiment, Plan.mostBlocks(experiment)).size();
      double seconds = Plan.trialTime(experiment).toSeconds() * (double) trials;
      double needed = experiment.workload().loads() ? seconds * ASSUMED_RATE * BYTES_PER_SAMPLE : 0;
      try {
        double free = Files.getFileStore(existing(results)).getUsableSpace();
        String sentence =
            size(free)
                + " free for results; "
                + (experiment.workload().loads()
                    ? "the run takes about " + size(needed) + " at 1000 requests a second"
                    : "nothing is loaded, so only logs are kept");
        if (free < LEAST_HERE) {
          return CheckResult.blocking(
              "disk here", sentence, "free some space, or use another --results");
        }
        return free < needed
            ? CheckResult.warning(
                "disk here", sentence, "free some space, or use another --results")
            : CheckResult.ok("disk here", sentence);
      } catch (IOException e) {
        return CheckResult.warning(
            "disk here", "free space of " + results + " is not known: " + FileFault.reason(e), "");
      }
    }

    private static Path existing(Path path) {
      Path place = path.toAbsolutePath();
      while (!Files.exists(place) && place.getParent() != null) {
        place = place.getParent();
      }
      return place;
    }

    static CheckResult there(Experiment experiment, Reached host) {
      CommandResult result = host.shell().run(Command.reading("df", "-Pk", "/tmp"));
      Optional<Double> free = free(result);
      if (free.isEmpty()) {
        return CheckResult.warning(
            "disk there",
            "the host does not report the free space of /tmp",
            "make sure that a trial's trace fits");
      }
      double needed = LEAST_THERE + TRACE_BYTES_PER_SECOND * experiment.measure().toSeconds();
      String sentence =
          Phrase.of(
              "%s free in /tmp of the host; a trial's trace may take %s of it for a while",
              size(free.get()), size(needed - LEAST_THERE));
      return free.get() < needed
          ? CheckResult.warning(
              "disk there", sentence, "free some space, or measure for a shorter time")
          : CheckResult.ok("disk there", sentence);
    }

    /** The fourth column of df's second line, in KiB; the file system's name may contain blanks. */
    private static Optional<Double> free(CommandResult result) {
      String[] lines = result.standardOutput().strip().split("\n", -1);
      if (!result.succeeded() || lines.length < 2) {
        return Optional.empty();
      }
      String[] fields = lines[lines.length - 1].strip().split("\\s+", -1);
      try {
        return fields.length < 6
            ? Optional.empty()
            : Optional.of(Double.parseDouble(fields[fields.length - 3]) * 1024);
      } catch (NumberFormatException e) {
        return Optional.empty();
      }
    }

    private static String size(double bytes) {
      return bytes < 1e9 ? Phrase.of("%.0f MB", bytes / 1e6) : Phrase.of("%.1f GB", bytes / 1e9);
    }
  }
}
