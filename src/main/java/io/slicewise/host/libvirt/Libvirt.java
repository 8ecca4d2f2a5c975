package io.slicewise.host.libvirt;

import io.slicewise.base.units.Phrase;
import io.slicewise.host.Accounts;
import io.slicewise.host.CgroupVersion;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.HypervisorKind;
import io.slicewise.host.HypervisorKind.GuestWatcher;
import io.slicewise.host.HypervisorKind.SettingCommands;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.libvirt.GuestThreads.Guest;
import io.slicewise.host.libvirt.GuestThreads.ThreadTimes;
import io.slicewise.host.libvirt.LibvirtInventory.VersionText;
import io.slicewise.observe.Observation.Reading;
import io.slicewise.profile.Cfs;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** QEMU/KVM under libvirt, driven through {@code virsh}. */
public final class Libvirt implements HypervisorKind {
  static final String TOOLSTACK = "virsh";

  /** Returns the shares of a guest that nobody changed, by the host's control groups. */
  public static int defaultShares(HypervisorVersion version) {
    return CgroupVersion.statedIn(version).defaultShares();
  }

  @Override
  public String product() {
    return "libvirt";
  }

  @Override
  public List<String> toolstacks() {
    return List.of(TOOLSTACK);
  }

  @Override
  public String poolWord() {
    return "control group";
  }

  @Override
  public Accounts accounts(RemoteShell shell, boolean sudo, List<Domain> domains) {
    return new ThreadShares.Threads(GuestThreads.find(shell, sudo, domains));
  }

  @Override
  public List<String> monitors() {
    return List.of("schedstat");
  }

  @Override
  public Optional<GuestWatcher> watcher(
      RemoteShell shell, HostDescription host, List<Domain> domains) {
    return Optional.of(new GuestEvents());
  }

  @Override
  public SettingCommands commands(String toolstack, HypervisorVersion version, boolean sudo) {
    return new NamedSettings(Virsh.prefix(sudo), CgroupVersion.statedIn(version));
  }

  @Override
  public HypervisorVersion usualVersion(String toolstack) {
    return CgroupVersion.V2.stateIn(HypervisorVersion.of(9, 0), "");
  }

  @Override
  public Hypervisor probe(RemoteShell shell, boolean sudo, Optional<String> toolstack) {
    Virsh virsh = new Virsh(shell, Virsh.prefix(sudo));
    CommandResult version = virsh.tryRead(VersionText.COMMAND);
    if (VirshFailures.isMissing(version)) {
      throw HypervisorException.absent(
          "%s has no virsh where a login finds it.".formatted(shell.address()),
          "Is this a host of libvirt's? Its virsh comes with libvirt-clients.");
    }
    if (!version.succeeded()) {
      throw VirshFailures.failed(shell.address(), version);
    }
    return new LibvirtHost(this, virsh);
  }

  /**
   * The commands that set a guest by name, for people to read. Commands that are run use the
   * guest's UUID.
   */
  record NamedSettings(List<String> prefix, CgroupVersion version) implements SettingCommands {
    private static final int ANY_VCPUS = 4096;

    @Override
    public List<Command> set(String domain, SchedulerParameters wanted) {
      if (domain.matches("[0-9]+")) {
        throw new HypervisorException(
            "The guest called %s cannot be named to virsh.".formatted(domain),
            "A name made of digits is taken for an id; 'slicewise apply' finds the right one.");
      }
      if (wanted.scheduler() != Scheduler.CFS) {
        throw new HypervisorException(
            "virsh has no settings for the %s scheduler.".formatted(wanted.scheduler().xenName()),
            "Use a profile for the cfs scheduler.");
      }
      int vcpus = Cfs.leavesPinning(wanted) ? ANY_VCPUS : wanted.leastVcpus();
      new SettingLimits(version).check(domain, vcpus, wanted);
      List<Command> commands = new ArrayList<>();
      SchedulerParameters unknown = SchedulerParameters.byVcpu(List.of(wanted));
      for (List<String> arguments :
          new SettingWords(version).of(List.of("--domain", domain), vcpus, unknown, wanted)) {
        commands.add(Command.changing(arguments).behind(prefix));
      }
      return List.copyOf(commands);
    }
  }

  /**
   * What libvirt reports of guests while virsh listens: changed settings, and that they were
   * paused, resumed, started or stopped. libvirt reports what was done through it; a value that was
   * written into a control group directly is not among its events.
   */
  static final class GuestEvents implements GuestWatcher {
    private static final String LIFECYCLE = "lifecycle";
    private static final String TUNABLE = "tunable";

    /**
     * A time if virsh prints one, the kind, the guest (without quotes before libvirt 6), details.
     */
    private static final Pattern EVENT =
        Pattern.compile("(?:\\S+ \\S+: )?event '([a-z-]+)' for domain '?(.*[^'])'?:(?: ([^:]*))?");

    /** A changed setting, below its event. */
    private static final Pattern VALUE = Pattern.compile("\\s+(\\S+: .*)");

    @Override
    public String name() {
      return "virsh event";
    }

    @Override
    public List<String> words() {
      return Stream.concat(
              Virsh.prefix(false).stream(), Stream.of("event", "--all", "--loop", "--timestamp"))
          .toList();
    }

    @Override
    public String signal() {
      return "INT";
    }

    @Override
    public Map<String, String> changes(String printed, List<Domain> domains) {
      return changes(printed);
    }

    /** Returns a clause for each guest that something happened to, by name. */
    static Map<String, String> changes(String printed) {
      Map<String, List<String>> events = new LinkedHashMap<>();
      List<String> values = new ArrayList<>();
      for (String line : printed.lines().toList()) {
        Matcher event = EVENT.matcher(line);
        Matcher value = VALUE.matcher(line);
        if (event.matches()) {
          values = new ArrayList<>();
          String details = event.group(3) == null ? "" : event.group(3).strip();
          if (event.group(1).equals(TUNABLE)) {
            values = events.computeIfAbsent(event.group(2), name -> new ArrayList<>());
          } else if (event.group(1).equals(LIFECYCLE) && isOfRunning(details)) {
            events.computeIfAbsent(event.group(2), name -> new ArrayList<>()).add(details);
          }
        } else if (value.matches()) {
          values.add(value.group(1).strip());
        } else {
          values = new ArrayList<>();
        }
      }
      Map<String, String> clauses = new LinkedHashMap<>();
      events.forEach(
          (name, all) ->
              clauses.put(
                  name,
                  "changed in the window, as libvirt reported: "
                      + (all.isEmpty() ? "its settings" : String.join(", ", all))));
      return clauses;
    }

    /** Returns whether an event concerns more than the definition for the next start. */
    private static boolean isOfRunning(String details) {
      return !details.startsWith("Defined") && !details.startsWith("Undefined");
    }
  }

  /**
   * Shares of guests between two readings of their threads. Run and ready are counted. Throttling
   * by the quota of a vCPU or its guest is a part of ready; the rest of ready is contention.
   * Blocked is the remaining time: the vCPU is idle or waits for its emulator.
   *
   * <p>The kernel adds a wait when it ends, so a wait in progress at either end of the window
   * causes an error of up to its length.
   */
  private record ThreadShares(GuestThreads.Reading before, GuestThreads.Reading after) {
    static final String CONTENDED = "contended";
    static final String EMULATOR_WAIT = "emulator_wait";
    static final String EMULATOR_THROTTLED = "emulator_throttled";

    private static final double NANOS = 1e9;

    /** The longest unfinished waits observed, with ten tasks on a pCPU. */
    private static final double LONGEST_WAIT_SECONDS = 0.4;

    private static final double TOLERANCE = 0.02;

    /** The counters of these guests' threads. */
    record Threads(GuestThreads threads) implements Accounts {
      @Override
      public Command reading() {
        return threads.reading();
      }

      @Override
      public Optional<Function<Domain, Used>> between(String before, String after) {
        return threads
            .parse(before)
            .flatMap(first -> threads.parse(after).map(last -> new ThreadShares(first, last)::of));
      }
    }

    Accounts.Used of(Domain domain) {
      Guest from = before.guests().get(domain.name());
      Guest to = after.guests().get(domain.name());
      if (from == null) {
        return Accounts.Used.unknown("its process was not found");
      }
      if (to == null || !to.vcpus().keySet().equals(from.vcpus().keySet()) || wentBack(from, to)) {
        return Accounts.Used.unknown("its process or threads changed while it was watched");
      }
      return used(from, to);
    }

    private static boolean wentBack(Guest from, Guest to) {
      return from.vcpus().entrySet().stream()
          .anyMatch(
              vcpu ->
                  to.vcpus().get(vcpu.getKey()).run() < vcpu.getValue().run()
                      || to.vcpus().get(vcpu.getKey()).ready() < vcpu.getValue().ready());
    }

    private Accounts.Used used(Guest from, Guest to) {
      double seconds = after.seconds() - before.seconds();
      double all = seconds * from.vcpus().size();
      ThreadTimes used = since(from.vcpus(), to.vcpus());
      double run = used.run() / NANOS / all;
      double counted = used.ready() / NANOS / all;
      double edge = Math.max(TOLERANCE, LONGEST_WAIT_SECONDS / seconds);
      List<String> notes = new ArrayList<>();
      double ready = counted;
      if (run + counted > 1 && run + counted <= 1 + edge && run <= 1) {
        ready = 1 - run;
      }
      if (run + counted > 1 + TOLERANCE) {
        notes.add(
            Phrase.of(
                "run and wait add up to %.1f %% over %.1f s: waits under way at the ends",
                (run + counted) * 100, seconds));
      }
      double known = run + ready > 1 + TOLERANCE ? Double.NaN : ready;
      double held = used.throttled() + Math.max(0, to.throttled() - from.throttled());
      double throttled = Math.min(known, held / NANOS / all);
      ThreadTimes emulator = since(from.emulator(), to.emulator());
      return new Accounts.Used(
          run,
          ready,
          notes,
          List.of(
              Reading.share(Accounts.THROTTLED, throttled),
              Reading.share(CONTENDED, known - throttled),
              Reading.share(Accounts.EMULATOR_RUN, emulator.run() / NANOS / seconds),
              Reading.share(EMULATOR_WAIT, emulator.ready() / NANOS / seconds),
              Reading.share(
                  EMULATOR_THROTTLED,
                  Math.max(0, to.emulatorThrottled() - from.emulatorThrottled())
                      / NANOS
                      / seconds)),
          List.of());
    }

    /** Returns the sum over the threads in both readings. */
    private static <K> ThreadTimes since(Map<K, ThreadTimes> from, Map<K, ThreadTimes> to) {
      long run = 0;
      long ready = 0;
      long throttled = 0;
      for (Map.Entry<K, ThreadTimes> thread : from.entrySet()) {
        ThreadTimes later = to.getOrDefault(thread.getKey(), thread.getValue());
        run += Math.max(0, later.run() - thread.getValue().run());
        ready += Math.max(0, later.ready() - thread.getValue().ready());
        throttled += Math.max(0, later.throttled() - thread.getValue().throttled());
      }
      return new ThreadTimes(run, ready, throttled);
    }
  }
}
