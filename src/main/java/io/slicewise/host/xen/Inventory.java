package io.slicewise.host.xen;

import io.slicewise.host.Domain;
import io.slicewise.host.GuestId;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HostDescription.CpuPool;
import io.slicewise.host.HostState;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.Target;
import io.slicewise.host.xen.ParameterListing.Entry;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.Pinning;
import io.slicewise.profile.Placement;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Schedulers;
import io.slicewise.profile.SettingFaults;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The host's version, cpupools and domains. */
record Inventory(
    Tool tool, Dialect dialect, StrangeRows strange, Function<Scheduler, List<Entry>> listing) {
  /** The pool of every host, and the only one of hosts without cpupools. */
  private static final String FIRST_POOL = "Pool-0";

  HostDescription describe() {
    InfoListing info = InfoListing.parse(tool.read(List.of("info")));
    return new HostDescription(
        dialect.name(),
        info.version().orElse(dialect.version()),
        info.text("release"),
        info.number("nr_cpus", 0),
        info.decimal("cpu_mhz"),
        info.text("xen_scheduler"),
        dialect.hasCpupools() ? cpupools() : List.of(onlyPool(info)));
  }

  List<CpuPool> cpupools() {
    if (!dialect.hasCpupools()) {
      return List.of(onlyPool(InfoListing.parse(tool.read(List.of("info")))));
    }
    List<String> words = List.of("cpupool-list");
    List<CpuPool> pools = CpupoolListing.parse(tool.named(words), tool.read(words));
    return pools.stream().allMatch(pool -> pool.domains() != CpupoolListing.UNCOUNTED)
        ? pools
        : counted(pools);
  }

  /** Returns the pools with their numbers of domains, where a listing has no such column. */
  private List<CpuPool> counted(List<CpuPool> pools) {
    Map<String, Long> domains =
        domains(pools).stream()
            .collect(Collectors.groupingBy(Domain::cpupool, Collectors.counting()));
    return pools.stream()
        .map(
            pool ->
                new CpuPool(
                    pool.name(),
                    pool.pcpus(),
                    pool.scheduler(),
                    domains.getOrDefault(pool.name(), 0L).intValue()))
        .toList();
  }

  private CpuPool onlyPool(InfoListing info) {
    return new CpuPool(
        FIRST_POOL, info.number("nr_cpus", 0), info.text("xen_scheduler"), listed().size());
  }

  List<Domain> domains() {
    boolean poolsNeeded = dialect.hasCpupools() && !dialect.listDomains().contains("-c");
    return poolsNeeded ? domains(cpupools()) : listed();
  }

  List<Domain> domains(List<CpuPool> pools) {
    List<Domain> listed = listed();
    if (pools.size() == 1 || dialect.listDomains().contains("-c")) {
      return listed;
    }
    Map<Integer, String> byId = poolsById(pools);
    return listed.stream().map(domain -> in(byId.getOrDefault(domain.id(), ""), domain)).toList();
  }

  private List<Domain> listed() {
    return listed(dialect.listDomains(), FIRST_POOL);
  }

  private List<Domain> listed(List<String> words, String pool) {
    DomainListing.Listed listed = DomainListing.parse(tool.read(words), pool);
    strange.keep(tool.named(words), listed.names(), listed.strange());
    return listed.domains().stream().sorted(Comparator.comparingInt(Domain::id)).toList();
  }

  private Domain in(String pool, Domain domain) {
    if (pool.isEmpty() && strange.of(domain.name()).isEmpty()) {
      throw new HypervisorException(
          "The toolstack does not show which cpupool " + domain.name() + " is in.",
          "Use a host with one cpupool, or Xen 4.2 or later.");
    }
    return new Domain(domain.name(), domain.id(), domain.vcpus(), domain.cpuSeconds(), pool);
  }

  /**
   * Returns the pools by id. Before 4.6 no list names the pools: xm lists pool by pool, xl prints
   * their parameters below their names.
   */
  private Map<Integer, String> poolsById(List<CpuPool> pools) {
    Map<Integer, String> byId = new HashMap<>();
    for (CpuPool pool : pools) {
      Optional<List<String>> words = dialect.listDomainsIn(pool.name());
      if (words.isPresent()) {
        listed(words.get(), pool.name()).forEach(domain -> byId.put(domain.id(), pool.name()));
      } else {
        Scheduler.ofXenName(pool.scheduler())
            .ifPresent(
                scheduler -> listing.apply(scheduler).forEach(e -> byId.put(e.id(), e.cpupool())));
      }
    }
    return byId;
  }

  /** Returns the guest of each running domain. */
  Map<String, GuestId> guests() {
    return guests(listed(), identities());
  }

  /** Returns the listing with UUIDs; empty if the toolstack has none. */
  private String identities() {
    return dialect.listUuids().flatMap(this::ifRead).orElse("");
  }

  private Map<String, GuestId> guests(List<Domain> domains, String identities) {
    Map<Integer, String> uuids = DomainListing.uuids(identities);
    String boot = boot();
    Map<String, GuestId> guests = new LinkedHashMap<>();
    for (Domain domain : domains) {
      String uuid = uuids.getOrDefault(domain.id(), "");
      guests.putIfAbsent(domain.name(), new GuestId(uuid, domain.id(), boot));
    }
    List<String> rows = new ArrayList<>(identities.lines().toList());
    rows.addAll(strange.in(tool.named(dialect.listDomains())));
    DomainListing.strangers(rows, uuids, boot).forEach(guests::putIfAbsent);
    return guests;
  }

  /** Returns the boot of the host, which is that of Domain-0. */
  private String boot() {
    CommandResult read =
        tool.shell().run(Command.reading("cat", "/proc/sys/kernel/random/boot_id"));
    return read.succeeded() ? read.standardOutput().strip() : "";
  }

  private Optional<String> ifRead(List<String> words) {
    CommandResult result = tool.tryRead(words);
    return result.succeeded() ? Optional.of(result.standardOutput()) : Optional.empty();
  }

  /** Returns the state of the whole host, given the pools in the schedulers' listings. */
  HostState state(List<Domain> domains, List<CpuPool> pools, Map<String, String> parameters) {
    Map<Integer, List<String>> affinities =
        ifRead(List.of("vcpu-list")).map(VcpuListing::affinities).orElse(Map.of());
    Map<String, String> cpus = poolCpus();
    String identities = identities();
    Map<String, GuestId> ids = guests(domains, identities);
    Map<Integer, String> activities = DomainListing.activities(identities);
    Map<String, HostState.Guest> guests = new LinkedHashMap<>();
    for (Domain domain : domains) {
      guests.put(
          domain.name(),
          new HostState.Guest(
              ids.get(domain.name()),
              domain.cpupool(),
              domain.vcpus(),
              affinities.getOrDefault(domain.id(), List.of()),
              activities.getOrDefault(domain.id(), "")));
    }
    Map<String, HostState.Pool> byName = new LinkedHashMap<>();
    for (CpuPool pool : pools) {
      byName.put(
          pool.name(),
          new HostState.Pool(
              pool.scheduler(),
              cpus.getOrDefault(pool.name(), Integer.toString(pool.pcpus())),
              parameters.getOrDefault(pool.name(), "")));
    }
    return new HostState(guests, byName);
  }

  /** Returns where the vCPUs of each domain may run; none if the toolstack does not set it. */
  List<Entry> places() {
    return dialect.setsPlaces()
        ? ifRead(List.of("vcpu-list")).map(VcpuListing::places).orElse(List.of())
        : List.of();
  }

  /** Returns the pCPUs of each cpupool by its name; empty if the toolstack does not list them. */
  Map<String, String> poolCpus() {
    return dialect.listPoolCpus().flatMap(this::ifRead).map(CpupoolListing::cpus).orElse(Map.of());
  }

  /** Returns whether Xen was built with a scheduler; empty if it does not say. */
  Optional<Boolean> isBuiltIn(String scheduler) {
    CommandResult config =
        tool.shell().run(Command.reading("xenhypfs", "cat", "/buildinfo/config"));
    String built = "CONFIG_SCHED_%s=y".formatted(scheduler.toUpperCase(Locale.ROOT));
    return config.succeeded() && config.standardOutput().contains("CONFIG_SCHED_")
        ? Optional.of(config.standardOutput().lines().anyMatch(built::equals))
        : Optional.empty();
  }

  /**
   * Returns the host's pCPUs. Their numbers have gaps if some are offline, as with {@code smt=off};
   * then the cpupools list those that are online, and all below the highest are assumed to be if
   * some are in no cpupool.
   */
  BitSet pcpus() {
    InfoListing info = InfoListing.parse(tool.read(List.of("info")));
    int count = info.number("nr_cpus", 0);
    int highest = info.number("max_cpu_id", -1);
    BitSet all = Pinning.first(Math.max(count, highest + 1));
    if (highest + 1 == count) {
      return all;
    }
    BitSet pooled = new BitSet();
    poolCpus().values().forEach(cpus -> pooled.or(Pinning.cpus(cpus)));
    return pooled.cardinality() == count ? pooled : all;
  }

  /**
   * Returns why a domain cannot have a placement, as a sentence; empty if it can. Xen refuses a
   * hard affinity without any pCPU of the domain's cpupool.
   */
  Optional<String> misplaced(String domain, SchedulerParameters wanted) {
    BitSet pcpus = pcpus();
    for (Parameter<String> affinity : List.of(Placement.AFFINITY, Placement.SOFT_AFFINITY)) {
      String value = wanted.get(affinity);
      Optional<String> absent = Pinning.absent(value, pcpus);
      if (absent.isPresent()) {
        return absent.map(rule -> "%s %s of %s %s".formatted(affinity.key(), value, domain, rule));
      }
    }
    Optional<Domain> running =
        domains().stream().filter(one -> one.name().equals(domain)).findFirst();
    Optional<String> uncounted =
        running
            .flatMap(one -> SettingFaults.first(wanted, counted(one, wanted).vcpus()))
            .map(fault -> "%s of %s %s".formatted(fault.what(), domain, fault.rule()));
    if (uncounted.isPresent()) {
      return uncounted;
    }
    Optional<String> pool = running.map(Domain::cpupool);
    Optional<String> listed = pool.map(poolCpus()::get);
    for (String each :
        listed.isEmpty() ? List.<String>of() : Pinning.each(wanted.get(Placement.AFFINITY), 1)) {
      if (!each.isEmpty()
          && !each.equals(Pinning.ALL)
          && !Pinning.cpus(each).intersects(Pinning.cpus(listed.get()))) {
        return Optional.of(
            "affinity %s of %s has no pCPU of its cpupool %s, which has %s"
                .formatted(each, domain, pool.get(), listed.get()));
      }
    }
    return Optional.empty();
  }

  /** Returns the schedulers with parameters that any of these domains uses. */
  Set<Scheduler> schedulersOf(List<Domain> domains, List<CpuPool> pools) {
    Set<String> used = domains.stream().map(Domain::cpupool).collect(Collectors.toSet());
    return pools.stream()
        .filter(pool -> used.contains(pool.name()))
        .flatMap(pool -> Scheduler.ofXenName(pool.scheduler()).stream())
        .filter(scheduler -> !scheduler.parameters().isEmpty())
        .collect(Collectors.toCollection(() -> new TreeSet<>(Schedulers.ORDER)));
  }

  /** Returns the domain to be set, with its current id. */
  Domain located(Setting wanted, Entry entry, List<Entry> all) {
    String id = Integer.toString(entry.id());
    if (dialect.name().equals("xm") && all.stream().anyMatch(e -> e.name().equals(id))) {
      throw new HypervisorException(
          "xm cannot distinguish %s, whose domid is %s, from the domain that is called %s."
              .formatted(entry.name(), id, id),
          "Rename that domain.");
    }
    Domain domain =
        wanted.target() instanceof Target.Place place ? place.domain() : (Domain) wanted.target();
    return counted(
        new Domain(
            domain.name(), entry.id(), domain.vcpus(), domain.cpuSeconds(), domain.cpupool()),
        wanted.parameters());
  }

  /** Returns the target with all vCPUs of its domain, offline ones too, if settings need them. */
  Target counted(Target target, SchedulerParameters wanted) {
    if (target instanceof Target.Place place) {
      return new Target.Place(counted(place.domain(), wanted));
    }
    return target instanceof Domain domain ? counted(domain, wanted) : target;
  }

  private Domain counted(Domain domain, SchedulerParameters wanted) {
    boolean listed = wanted.scheduler() == Scheduler.PLACEMENT && Placement.listed(wanted) > 1;
    return wanted.leastVcpus() <= domain.vcpus() && !listed
        ? domain
        : new Domain(
            domain.name(),
            domain.id(),
            vcpusOnOrOff(Integer.toString(domain.id())),
            domain.cpuSeconds(),
            domain.cpupool());
  }

  /**
   * Returns the number of online and offline vCPUs: a listing of domains counts only online ones,
   * but a cap may use the others.
   */
  int vcpusOnOrOff(String id) {
    long rows = tool.read(List.of("vcpu-list", id)).lines().filter(l -> !l.isBlank()).count();
    return Math.toIntExact(rows - 1);
  }

  /** Returns the reason why a domain is not in a scheduler's listing. */
  HypervisorException missing(String name, Scheduler scheduler) {
    List<CpuPool> pools = cpupools();
    List<Domain> domains = domains(pools);
    Optional<Domain> domain = domains.stream().filter(d -> d.name().equals(name)).findFirst();
    return domain.map(there -> elsewhere(there, pools, scheduler)).orElse(notThere(name, domains));
  }

  private static HypervisorException elsewhere(
      Domain domain, List<CpuPool> pools, Scheduler scheduler) {
    String found =
        pools.stream()
            .filter(pool -> pool.name().equals(domain.cpupool()))
            .map(CpuPool::scheduler)
            .findFirst()
            .orElse("another scheduler");
    return new HypervisorException(
        "%s is in cpupool %s, which runs %s, not %s."
            .formatted(domain.name(), domain.cpupool(), found, scheduler.xenName()),
        "Boot Xen with sched=%s; or, %s."
            .formatted(scheduler.xenName(), HostToolstack.withoutReboot(scheduler)));
  }

  private HypervisorException notThere(String name, List<Domain> domains) {
    return new HypervisorException(
        "No domain called %s runs on %s; running are %s."
            .formatted(
                name,
                tool.shell().address(),
                domains.stream().map(Domain::name).collect(Collectors.joining(", "))),
        "Start it, or fix its name in the experiment.");
  }

  /** Parses {@code xl cpupool-list} and {@code xm cpupool-list}. */
  static final class CpupoolListing {
    /** In place of a number of domains that is not listed. */
    private static final int UNCOUNTED = -1;

    private static final Pattern ROW =
        Pattern.compile("(.*\\S)\\s+(\\d+)\\s+(\\S+)\\s+([yn])(?:\\s+(\\d+))?\\s*");

    private static final Pattern CPUS = Pattern.compile("(.*\\S)\\s+(\\d+(?:[-,]\\d+)*)\\s*");

    private CpupoolListing() {}

    /** Returns the pCPUs' numbers by pool, from {@code xl cpupool-list -c}. */
    static Map<String, String> cpus(String text) {
      Map<String, String> byPool = new HashMap<>();
      for (String line : text.lines().toList()) {
        Matcher row = CPUS.matcher(line);
        if (row.matches()) {
          byPool.put(row.group(1), row.group(2));
        }
      }
      return byPool;
    }

    /** Returns the active pools; xm also lists pools that are only defined. */
    static List<CpuPool> parse(String command, String text) {
      List<CpuPool> pools = new ArrayList<>();
      List<String> names = new ArrayList<>();
      List<String> strange = new ArrayList<>();
      for (String line : text.lines().toList()) {
        Matcher row = ROW.matcher(line);
        if (row.matches()) {
          names.add(row.group(1));
          if (row.group(4).equals("y")) {
            pools.add(
                new CpuPool(
                    row.group(1),
                    Integer.parseInt(row.group(2)),
                    row.group(3),
                    row.group(5) == null ? UNCOUNTED : Integer.parseInt(row.group(5))));
          }
        } else if (!line.isBlank() && !line.startsWith("Name ")) {
          strange.add(line);
        }
      }
      new StrangeRows().keep(command, names, strange);
      return List.copyOf(pools);
    }
  }

  /** Parses {@code xl vcpu-list} and {@code xm vcpu-list}: the affinity of each domain's vCPUs. */
  static final class VcpuListing {
    private static final Pattern ROW =
        Pattern.compile(
            "(.*\\S)\\s+(\\d+)\\s+(\\d+)\\s+(\\d+|-)\\s+[-a-z]{2,3}\\s+\\d+\\.\\d\\s+(\\S.*?)\\s*");

    private static final String CPUS = "(all|\\d+(?:[-,]\\d+)*)";
    private static final Pattern BOTH = Pattern.compile(CPUS + " / " + CPUS);

    private VcpuListing() {}

    /** Returns affinities by domid, in the order of the vCPUs; malformed rows are ignored. */
    static Map<Integer, List<String>> affinities(String text) {
      Map<Integer, List<String>> byDomain = new HashMap<>();
      for (String line : text.lines().toList()) {
        Matcher row = ROW.matcher(line);
        if (row.matches()) {
          byDomain
              .computeIfAbsent(Integer.parseInt(row.group(2)), id -> new ArrayList<>())
              .add(row.group(5));
        }
      }
      return byDomain;
    }

    /** Returns the placement of each domain whose vCPUs show both affinities: {@code 0-1 / all}. */
    static List<Entry> places(String text) {
      Map<Integer, List<String>> affinities = affinities(text);
      Map<Integer, Integer> online = online(text);
      Map<Integer, Entry> places = new LinkedHashMap<>();
      for (String line : text.lines().toList()) {
        Matcher row = ROW.matcher(line);
        if (row.matches()) {
          int id = Integer.parseInt(row.group(2));
          Optional<SchedulerParameters> place =
              place(affinities.get(id), online.getOrDefault(id, 0));
          place.ifPresent(known -> places.put(id, new Entry(row.group(1), id, "", place)));
        }
      }
      return List.copyOf(places.values());
    }

    /** Returns the number of vCPUs of each domain that are on a pCPU; the others are offline. */
    private static Map<Integer, Integer> online(String text) {
      Map<Integer, Integer> online = new HashMap<>();
      text.lines()
          .map(ROW::matcher)
          .filter(Matcher::matches)
          .filter(row -> !row.group(4).equals("-"))
          .forEach(row -> online.merge(Integer.valueOf(row.group(2)), 1, Integer::sum));
      return online;
    }

    private static Optional<SchedulerParameters> place(List<String> vcpus, int online) {
      List<Matcher> both = vcpus.stream().map(BOTH::matcher).toList();
      return both.stream().allMatch(Matcher::matches)
          ? Optional.of(
              Placement.of(
                  both.stream().map(hard -> hard.group(1)).toList(),
                  both.stream().map(soft -> soft.group(2)).toList(),
                  online))
          : Optional.empty();
    }
  }

  /** Parses {@code xl info} and {@code xm info}: a key, a colon and a value per line. */
  static final class InfoListing {
    private final Map<String, String> values = new HashMap<>();

    private InfoListing() {}

    static InfoListing parse(String text) {
      InfoListing info = new InfoListing();
      for (String line : text.lines().toList()) {
        int colon = line.indexOf(':');
        if (colon > 0) {
          info.values.putIfAbsent(
              line.substring(0, colon).strip(), line.substring(colon + 1).strip());
        }
      }
      return info;
    }

    String text(String key) {
      return values.getOrDefault(key, "");
    }

    int number(String key, int absent) {
      return values.containsKey(key) ? Integer.parseInt(text(key)) : absent;
    }

    double decimal(String key) {
      try {
        return Double.parseDouble(text(key));
      } catch (NumberFormatException e) {
        return Double.NaN;
      }
    }

    /** Returns the version from its parts, since only xl from 4.4 on prints it whole. */
    Optional<HypervisorVersion> version() {
      try {
        return Optional.of(
            new HypervisorVersion(
                Integer.parseInt(text("xen_major")),
                Integer.parseInt(text("xen_minor")),
                text("xen_extra")));
      } catch (NumberFormatException e) {
        return Optional.empty();
      }
    }
  }
}
