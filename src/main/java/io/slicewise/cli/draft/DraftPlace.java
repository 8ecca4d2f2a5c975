package io.slicewise.cli.draft;

import io.slicewise.base.units.DurationText;
import io.slicewise.cli.lab.EmbeddedHost;
import io.slicewise.experiment.Defaults;
import io.slicewise.workload.Traffic;
import io.slicewise.workload.WorkloadType;
import io.slicewise.workload.counters.Prometheus;
import io.slicewise.workload.counters.Sql;
import io.slicewise.workload.tiles.Tiles;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Where a drafted experiment runs, and what differs between the embedded lab and a host.
 *
 * @param address of the host; empty on the embedded lab
 * @param guests of the lab, by name; none of a host is known here
 * @param log of the site, as a value of YAML; empty where none is read
 */
record DraftPlace(
    Optional<String> address, Virtual hypervisor, List<String> guests, Optional<String> log) {
  /** What the lab serves on a machine of any size, by workload. */
  private static final Map<String, Map<String, String>> SMALL =
      Map.of(
          "tpch", Map.of("scale", "0.01", "keep-data", "true"),
          "tpcb", Map.of("scale", "1"),
          "stride", Map.of("rows", "20000", "offsets", "[1, 100]", "keep-data", "true"),
          "cpu", Map.of("sizes", "[2000]"),
          "command",
              Map.of(
                  "command",
                  "[curl, --fail, -s, -o, /dev/null, -d, \"user=user1&password=password1\", -w,"
                      + " \"%{time_total}\", \"{target}\"]",
                  "measures",
                  "{seconds: {unit: s, better: less}}"));

  /** Counters of a site to begin with, by workload. */
  private static final Map<String, Map<String, String>> COUNTERS =
      Map.of(
          Prometheus.NAME,
              Map.of(
                  "server",
                  "{url: \"http://127.0.0.1:9090\", machine: host}",
                  "measures",
                  "{mean: {growth: 'http_request_duration_seconds_sum', per:"
                      + " 'http_request_duration_seconds_count', unit: s}}"),
          Sql.NAME,
              Map.of(
                  "query",
                  "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()",
                  "measures",
                  "{commits: {growth: xact_commit, unit: /s, better: more}}"));

  /** Two tiles to begin with, on guests of these names; on a host with an address. */
  private static final String TILES =
      "[{name: shop, users: 10, goal: p95 < 400ms, workload: {name: web-app%1$s}},"
          + " {name: portal, rate: 5, goal: p95 < 100ms, workload: {name: portal%1$s}}]";

  private static final String TILED = "shop, portal";

  private static final Map<String, String> USERS =
      Map.of("tpch", "1", "tpcb", "4", "stride", "1", "cpu", "1", "mail", "[25, 50]");

  /** Enough to detect a change of 10 % at either of two loads with 80 % power. */
  private static final int REPETITIONS = 8;

  private static final Duration LAB_WARM_UP = Duration.ofSeconds(5);
  private static final Duration LAB_MEASURE = Duration.ofSeconds(20);

  /** A hypervisor, as an option. */
  enum Virtual {
    XEN,
    LIBVIRT,
    /** The bare machine of a study. */
    NONE
  }

  static DraftPlace host(String address, Virtual hypervisor) {
    return new DraftPlace(Optional.of(address), hypervisor, List.of(), Optional.empty());
  }

  /** Returns a host whose guests serve a site, which may write a log. */
  static DraftPlace live(String address, Virtual hypervisor, Optional<String> log) {
    return new DraftPlace(Optional.of(address), hypervisor, List.of(), log);
  }

  /** Returns the embedded lab with the guests of a workload. */
  static DraftPlace lab(WorkloadType type, Virtual hypervisor) {
    return new DraftPlace(
        Optional.empty(), hypervisor, EmbeddedHost.guests(type.name()), Optional.empty());
  }

  boolean isLab() {
    return address.isEmpty();
  }

  /** Returns the host's lines, with comments. */
  List<String> lines() {
    boolean xen = hypervisor == Virtual.XEN;
    if (isLab()) {
      return List.of(
          ExperimentDraft.commented(
              xen ? "lab: {}" : "lab: {hypervisor: libvirt}", "the embedded lab; or instead:"),
          ExperimentDraft.commented(
              xen ? "# host: {address: dom0}" : "# host: {address: kvm1}",
              "a host name, an address, or an SSH alias"));
    }
    return List.of(
        "host:",
        ExperimentDraft.commented(
            "  address: " + address.orElseThrow(), "a host name, an address, or an SSH alias"),
        ExperimentDraft.commented("# lab: {}", "instead of host: the embedded lab"));
  }

  /** Returns the lines of a host whose guests serve a site's own users. */
  List<String> liveLines() {
    return List.of(
        "host:",
        ExperimentDraft.commented(
            "  address: " + address.orElseThrow(), "a host name, an address, or an SSH alias"),
        ExperimentDraft.commented(
            "  dead-man: 1m", "restores itself if this machine is gone for so long"));
  }

  /** Returns the guests of the workload. */
  String main(WorkloadType type) {
    return tiled(type) ? TILED : guests(false).orElse("guest");
  }

  private static boolean tiled(WorkloadType type) {
    return type.name().equals(Tiles.TILES);
  }

  /** Returns the guests beside the workload, if any. */
  Optional<String> other() {
    return guests(true);
  }

  private Optional<String> guests(boolean other) {
    List<String> names =
        guests.stream().filter(name -> name.startsWith("Other_") == other).toList();
    return names.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", names));
  }

  /** Returns a profile of the scheduler that the host has by default. */
  String profile() {
    return hypervisor == Virtual.XEN
        ? "  - {name: heavy, scheduler: credit2, main: {weight: 512}}"
        : "  - {name: heavy, scheduler: cfs, main: {shares: 2000}}";
  }

  Map<String, String> options(WorkloadType type) {
    Map<String, String> all =
        new TreeMap<>((isLab() ? SMALL : COUNTERS).getOrDefault(type.name(), Map.of()));
    log.ifPresent(written -> all.put("log", written));
    if (tiled(type)) {
      all.put(Tiles.TILES, TILES.formatted(isLab() ? "" : ", target: \"http://guest/\""));
    }
    return all;
  }

  /** Returns the metric that decides, where the workload alone knows one. */
  Optional<String> goal(WorkloadType type) {
    if (tiled(type)) {
      return Optional.of("goal: worst p95");
    }
    return isLab() && type.name().equals("command")
        ? Optional.of("goal: lowest outcome seconds")
        : Optional.empty();
  }

  /** Returns the line of the loads. */
  String loads(WorkloadType type) {
    return tiled(type)
        ? ExperimentDraft.commented("scale: [50, 100]", "percent of each tile's users or rate")
        : ExperimentDraft.commented("users: " + users(type), "one load or several");
  }

  private String users(WorkloadType type) {
    return isLab() ? USERS.getOrDefault(type.name(), "[10, 25]") : "[25, 50, 100]";
  }

  /** Returns how long a load takes with the times of a draft. */
  Duration load() {
    return isLab() ? LAB_WARM_UP.plus(LAB_MEASURE) : Defaults.WARM_UP.plus(Defaults.MEASURE);
  }

  /** Returns repetitions, times and limits, with comments. */
  List<String> times(WorkloadType type) {
    if (type.live()) {
      return List.of(
          "# observe changes nothing: it shows what pairs could find. Take it out to compare.",
          COUNTERS.containsKey(type.name())
              ? "design: {kind: pairs, window: 60s, wash-out: 15s, harm: {time: 10m}, observe: true}"
              : "design: {kind: pairs, harm: {time: 10m}, observe: true}",
          type.name().equals(Sql.NAME)
              ? "goal: highest outcome commits"
              : "goal: lowest outcome "
                  + (type.name().equals(Prometheus.NAME) ? "mean" : Traffic.GEOMETRIC_MEAN),
          "ramp: 0s",
          ExperimentDraft.commented("warm-up: 40s", "not measured; the guard learns from it"));
    }
    String window = "the measured window";
    String warmUp = "not measured; the users start here";
    if (!isLab()) {
      return List.of(
          repetitions(),
          ExperimentDraft.commented("warm-up: " + DurationText.of(Defaults.WARM_UP), warmUp),
          ExperimentDraft.commented("measure: " + DurationText.of(Defaults.MEASURE), window));
    }
    String limits = type.name().equals("tpch") ? "littles-law: 20%, " : "";
    return List.of(
        repetitions(),
        type.loads() ? "ramp: 1s" : "# there are no users",
        ExperimentDraft.commented("warm-up: " + DurationText.of(LAB_WARM_UP), warmUp),
        ExperimentDraft.commented(
            "measure: " + DurationText.of(LAB_MEASURE), window + "; on a host, minutes"),
        "# The lab and the generator share this machine. On a host, leave the limits out.",
        "limits: {" + limits + "generator-lateness: 50ms, lab-lateness: 50ms}");
  }

  private static String repetitions() {
    return ExperimentDraft.commented(
        "repetitions: " + REPETITIONS, "detects changes of 10 % if trials scatter by 5 %");
  }
}
