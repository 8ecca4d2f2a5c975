package io.slicewise.host.xen;

import io.slicewise.base.units.DurationText;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.HypervisorKind;
import io.slicewise.host.HypervisorKind.GuestWatcher;
import io.slicewise.host.HypervisorKind.SettingCommands;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.Target;
import io.slicewise.host.xen.Inventory.InfoListing;
import io.slicewise.host.xen.Tool.ToolRefusals;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Scope;
import io.slicewise.profile.Sedf;
import io.slicewise.profile.Split;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Xen, driven through {@code xl} or {@code xm}. */
public final class Xen implements HypervisorKind {
  private static final HypervisorVersion USUAL_WITH_XL = HypervisorVersion.of(4, 17);
  private static final HypervisorVersion USUAL_WITH_XM = HypervisorVersion.of(3, 3);

  /** Non-interactive logins often lack the directories of administrative programs. */
  private static final List<String> PLACES = List.of("", "/usr/sbin/", "/usr/local/sbin/");

  private static final int NOT_FOUND = 127;

  @Override
  public String product() {
    return "Xen";
  }

  @Override
  public List<String> toolstacks() {
    return List.of("xl", "xm");
  }

  @Override
  public Optional<String> controlDomain() {
    return Optional.of("Domain-0");
  }

  @Override
  public List<String> monitors() {
    return List.of("xenmon", "xenalyze", "xentop");
  }

  @Override
  public Optional<GuestWatcher> watcher(
      RemoteShell shell, HostDescription host, List<Domain> domains) {
    return Optional.of(new PausedDomains(host));
  }

  @Override
  public SettingCommands commands(String toolstack, HypervisorVersion version, boolean sudo) {
    return CommandWords.of(toolstack, version, sudo);
  }

  @Override
  public HypervisorVersion usualVersion(String toolstack) {
    return toolstack.equals("xm") ? USUAL_WITH_XM : USUAL_WITH_XL;
  }

  /** If both are installed, xm is used if xend answers it, since xend then owns the domains. */
  @Override
  public HostToolstack probe(RemoteShell shell, boolean sudo, Optional<String> toolstack) {
    Probe probe = new Probe(shell, sudo, toolstack, new ArrayList<>());
    Optional<Found> xl = probe.find("xl");
    boolean xmPossible = xl.isEmpty() || !xl.get().version.atLeast(4, 5);
    Optional<Found> xm = xmPossible ? probe.find("xm") : Optional.empty();
    return xm.map(found -> new HostToolstack(this, found.tool, new Xm(found.version)))
        .or(() -> xl.map(found -> new HostToolstack(this, found.tool, new Xl(found.version))))
        .orElseThrow(probe::failure);
  }

  private record Found(Tool tool, HypervisorVersion version) {}

  private record Probe(
      RemoteShell shell, boolean sudo, Optional<String> toolstack, List<CommandResult> failures) {
    Optional<Found> find(String program) {
      return toolstack.map(program::equals).orElse(true) ? look(program) : Optional.empty();
    }

    private Optional<Found> look(String program) {
      for (String place : PLACES) {
        List<String> prefix =
            sudo ? List.of("sudo", "-n", place + program) : List.of(place + program);
        Tool tool = new Tool(shell, prefix);
        CommandResult result = tool.tryRead(List.of("info"));
        if (result.succeeded()) {
          return InfoListing.parse(result.standardOutput()).version().map(v -> new Found(tool, v));
        }
        if (!missing(result)) {
          failures.add(result);
          return Optional.empty();
        }
      }
      return Optional.empty();
    }

    private static boolean missing(CommandResult result) {
      return result.exitStatus() == NOT_FOUND
          || result.standardError().contains("command not found");
    }

    HypervisorException failure() {
      if (failures.isEmpty()) {
        return HypervisorException.absent(
            shell.address() + " has neither xl nor xm in the login's PATH.",
            "Check that this is a Xen host, and that the address is that of its Domain-0.");
      }
      HypervisorException first = ToolRefusals.failed(shell.address(), failures.get(0));
      String others =
          failures.stream().skip(1).map(ToolRefusals::said).collect(Collectors.joining("; "));
      return new HypervisorException(
          first.getMessage() + (others.isEmpty() ? "" : " xm says: " + others), first.hint());
    }
  }

  /** The commands of a toolstack version, without a host. */
  record CommandWords(Dialect dialect, List<String> prefix) implements SettingCommands {
    private static final int ANY_VCPUS = 4096;

    /**
     * Returns the commands of a toolstack.
     *
     * @param toolstack {@code xl} or {@code xm}
     * @param sudo whether it is called through {@code sudo -n}
     * @throws IllegalArgumentException if the toolstack is neither
     */
    static CommandWords of(String toolstack, HypervisorVersion version, boolean sudo) {
      List<String> prefix = sudo ? List.of("sudo", "-n", toolstack) : List.of(toolstack);
      return switch (toolstack) {
        case "xl" -> new CommandWords(new Xl(version), prefix);
        case "xm" -> new CommandWords(new Xm(version), prefix);
        default -> throw new IllegalArgumentException("unknown toolstack " + toolstack);
      };
    }

    @Override
    public List<Command> set(String target, SchedulerParameters wanted) {
      if (Scope.SPLIT.has(target)) {
        return split(Scope.name(target), wanted).stream().map(this::changing).toList();
      }
      if (Scope.POOL.has(target)) {
        Target.Pool pool = Target.Pool.called(target);
        SettingRanges.check(pool, wanted);
        return List.of(changing(dialect.setPool(pool, wanted)));
      }
      return ofDomain(Target.domainOf(target), wanted);
    }

    private static List<List<String>> split(String pool, SchedulerParameters wanted) {
      if (wanted.get(Split.SCHEDULER).isEmpty()) {
        throw new HypervisorException(
            "The split of %1$s is undone by hand with xl cpupool-migrate GUEST %1$s for each guest, xl cpupool-destroy %2$s, and xl cpupool-cpu-add %1$s CPU for each pCPU."
                .formatted(pool, Split.POOL),
            "'slicewise restore' undoes it, with the guests' settings.");
      }
      SchedulerParameters none =
          Split.of("", new BitSet(), List.of(), Split.cpus(wanted, Split.CPUS));
      return XlSplit.commands(pool, none, wanted, name -> name);
    }

    private List<Command> ofDomain(String domain, SchedulerParameters wanted) {
      if (domain.matches("[0-9]+")) {
        throw new HypervisorException(
            "The domain called " + domain + " cannot be named to " + dialect.name() + ".",
            "A name of digits is interpreted as a domid; 'slicewise apply' finds the right one.");
      }
      Domain nameless = new Domain(domain, -1, ANY_VCPUS, Double.NaN, "");
      if (wanted.scheduler().scope() == Scope.PLACE) {
        return dialect.setPlace(domain, wanted).stream().map(this::changing).toList();
      }
      SettingRanges.check(nameless, wanted);
      return dialect.set(nameless, domain, wanted).stream().map(this::changing).toList();
    }

    private Command changing(List<String> arguments) {
      return Command.changing(arguments).behind(prefix);
    }
  }

  /** The domains that {@code xentop -b} shows as paused, by a look at every second. */
  private record PausedDomains(HostDescription description) implements GuestWatcher {
    private static final Pattern HEADER = Pattern.compile("\\s*NAME\\s+STATE\\s.*");

    /** The name and the state, whose letters are in the order dsbcpr. */
    private static final Pattern ROW =
        Pattern.compile("\\s*(\\S.{0,200}?)\\s+[-d][-s][-b][-c]([-p])[-r]\\s+\\d{1,12}\\s.*");

    /** The length to which xentop cuts names without {@code -f}. */
    private static final int CUT = 10;

    @Override
    public String name() {
      return "xentop";
    }

    @Override
    public List<String> words() {
      List<String> words = new ArrayList<>(List.of("xentop", "-b"));
      if (description.version().atLeast(4, 0)) {
        words.add("-f");
      }
      words.addAll(List.of("-d", "1"));
      return words;
    }

    @Override
    public Map<String, String> changes(String printed, List<Domain> domains) {
      int readings = 0;
      Map<String, Integer> paused = new LinkedHashMap<>();
      for (String line : printed.lines().toList()) {
        Matcher row = ROW.matcher(line);
        if (HEADER.matcher(line).matches()) {
          readings++;
        } else if (row.matches() && row.group(2).equals("p")) {
          paused.merge(row.group(1), 1, Integer::sum);
        }
      }
      Map<String, String> clauses = new LinkedHashMap<>();
      for (Domain domain : domains) {
        String cut = domain.name().substring(0, Math.min(CUT, domain.name().length())).strip();
        Integer seen = paused.getOrDefault(domain.name(), paused.get(cut));
        if (seen != null) {
          clauses.put(
              domain.name(), "paused at %d of %d looks in the window".formatted(seen, readings));
        }
      }
      return clauses;
    }
  }

  /**
   * {@code xm} of Xen 3.1 to 4.4.
   *
   * <p>xm reads sEDF's values, replaces those given, and sends all back; therefore all five are
   * always given. With weight 0, period and slice apply. A domain with extra time only cannot be
   * set by a slice of 0, which the hypervisor rejects; an extra-time weight with period 0 has the
   * same effect.
   */
  record Xm(HypervisorVersion version) implements Dialect {
    /** Times are sent as 32-bit nanoseconds through XML-RPC. */
    private static final Duration LONGEST = Duration.ofNanos(Integer.MAX_VALUE);

    private static final Duration STEP = Duration.ofNanos(100_000);
    private static final int NANO_DIGITS = 6;

    @Override
    public String name() {
      return "xm";
    }

    @Override
    public List<String> listDomains() {
      return List.of("list");
    }

    @Override
    public Optional<List<String>> listDomainsIn(String cpupool) {
      return Optional.of(List.of("list", "--pool=" + cpupool));
    }

    @Override
    public Optional<List<String>> listUuids() {
      return Optional.empty();
    }

    @Override
    public Optional<List<String>> listPoolCpus() {
      return Optional.empty();
    }

    @Override
    public boolean hasCpupools() {
      return version.atLeast(4, 1);
    }

    @Override
    public List<String> listParameters(Scheduler scheduler) {
      if (!XenSchedulers.ofXm(version).contains(scheduler)) {
        throw ToolRefusals.noCommand(this, scheduler);
      }
      return List.of("sched-" + scheduler.xenName());
    }

    @Override
    public List<List<String>> set(Domain domain, String target, SchedulerParameters wanted) {
      String command = listParameters(wanted.scheduler()).get(0);
      return List.of(
          switch (wanted.scheduler().xenName()) {
            case "credit" ->
                List.of(
                    command,
                    "-d",
                    target,
                    "-w",
                    "" + wanted.get(Credit.WEIGHT),
                    "-c",
                    "" + wanted.get(Credit.CAP));
            case "credit2" -> {
              ToolRefusals.refuseCap(this, domain, wanted.get(Credit.CAP));
              yield List.of(command, "-d", target, "-w", "" + wanted.get(Credit.WEIGHT));
            }
            case "sedf" -> sedf(domain, target, wanted);
            default -> throw ToolRefusals.noCommand(this, wanted.scheduler());
          });
    }

    private List<String> sedf(Domain domain, String target, SchedulerParameters sedf) {
      boolean bestEffort = SettingRanges.isBestEffort(sedf);
      return List.of(
          "sched-sedf",
          target,
          "-p",
          bestEffort ? "0" : millis(domain, "period", sedf.get(Sedf.PERIOD)),
          "-s",
          bestEffort ? "0" : millis(domain, "slice", sedf.get(Sedf.SLICE)),
          "-l",
          millis(domain, "latency", sedf.get(Sedf.LATENCY)),
          "-e",
          sedf.get(Sedf.EXTRATIME) ? "1" : "0",
          "-w",
          bestEffort ? "1" : Integer.toString(sedf.get(Sedf.WEIGHT)));
    }

    private static String millis(Domain domain, String what, Duration time) {
      if (time.compareTo(LONGEST) > 0) {
        throw SettingRanges.refusal(
            domain,
            what + " " + DurationText.micros(time),
            "is more than the 2147483us that xm can pass on");
      }
      return BigDecimal.valueOf(time.toNanos(), NANO_DIGITS).stripTrailingZeros().toPlainString();
    }

    @Override
    public Duration timeStep(Scheduler scheduler) {
      return scheduler == Scheduler.SEDF ? STEP : Duration.ZERO;
    }
  }
}
