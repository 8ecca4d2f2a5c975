package io.slicewise.experiment;

import io.slicewise.experiment.Experiment.Arms;
import io.slicewise.experiment.Experiment.Testbed;
import io.slicewise.experiment.Experiment.TrialCourse;
import io.slicewise.experiment.Experiment.TrialParts;
import io.slicewise.experiment.HostSpec.HostLimits;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Credit2;
import io.slicewise.profile.Role;
import io.slicewise.profile.Rtds;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.profile.Sedf;
import io.slicewise.ssh.SshLogin;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Combinators.F7;

/** Sound experiments of every kind, for property tests. */
public final class Experiments {
  private static final List<String> MAIN = List.of("Apache_Server", "a b; reboot");
  private static final List<String> OTHER = List.of("123", "yes", "Ünïcode: 'x'");

  private Experiments() {}

  public static Arbitrary<Experiment> any() {
    Arbitrary<List<SchedulerProfile>> profiles = profiles();
    return Combinators.combine(
            hosts(), profiles, workloads(), loads(), timings(), limits(), labs(), scalars())
        .as(Experiments::experiment);
  }

  private record Timing(Duration ramp, Duration warmUp, Duration measure, Duration coolDown) {}

  private record Scalars(
      int repetitions,
      Order order,
      long seed,
      Optional<Stop> stop,
      Aim aim,
      Optional<SimulationSpec> simulation) {}

  private static List<Load> loads(WorkloadSpec workload, List<Integer> users) {
    List<Integer> neighbours = workload.neighbours();
    return users.stream()
        .flatMap(
            n ->
                neighbours.isEmpty()
                    ? Stream.of(Load.of(n))
                    : neighbours.stream().map(k -> Load.beside(k, n)))
        .toList();
  }

  private static Experiment experiment(
      HostSpec host,
      List<SchedulerProfile> profiles,
      WorkloadSpec workload,
      List<Integer> users,
      Timing timing,
      ValidityLimits limits,
      Optional<Map<String, Object>> lab,
      Scalars scalars) {
    return new Experiment(
        "any-1.0",
        new Testbed(
            Optional.of(host),
            Map.of(Role.DOM0, List.of("Domain-0"), Role.MAIN, MAIN, Role.OTHER, OTHER),
            lab,
            Generators.NONE,
            scalars.simulation(),
            Watching.NONE),
        new Arms(profiles, profiles.get(profiles.size() - 1).name(), List.of()),
        workload,
        workload.loads() ? loads(workload, users) : List.of(Load.of(0)),
        new TrialCourse(
            scalars.repetitions(),
            workload.loads() && scalars.order().equals(Order.BLOCKS) && scalars.repetitions() > 1
                ? scalars.stop()
                : Optional.empty(),
            Optional.empty(),
            scalars.order(),
            scalars.seed(),
            new TrialParts(timing.ramp(), timing.warmUp(), timing.measure(), timing.coolDown())),
        limits,
        workload.loads() ? scalars.aim() : Aim.NONE,
        Optional.empty());
  }

  private static Arbitrary<Scalars> scalars() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 50),
            Arbitraries.of(Order.BLOCKS, Order.AS_WRITTEN, Order.LOADS_AS_WRITTEN),
            Arbitraries.longs().greaterOrEqual(0).lessOrEqual(999_999_999_999_999_999L),
            stops(),
            aims(),
            simulations())
        .as(Scalars::new);
  }

  private static Arbitrary<Aim> aims() {
    Arbitrary<Double> allowed = Arbitraries.integers().between(0, 9_999).map(n -> n / 10_000.0);
    Arbitrary<OptionalDouble> limit =
        Arbitraries.integers()
            .between(1, 1_000_000)
            .map(n -> n % 7 == 0 ? OptionalDouble.empty() : OptionalDouble.of(n / 8.0));
    return Combinators.combine(
            Combinators.combine(Arbitraries.of("mean", "p50", "p95", "p99", "throughput"), limit)
                .as(Aim.Goal::new)
                .optional(),
            Arbitraries.maps(Arbitraries.of(Aim.METRICS), allowed).ofMaxSize(3))
        .as(Aim::new);
  }

  private static Arbitrary<Optional<SimulationSpec>> simulations() {
    return Combinators.combine(
            Arbitraries.maps(
                    Arbitraries.of("web", "database", "file", "dom0", "disk"),
                    Arbitraries.longs().between(0, 4_000_000_000L).map(Duration::ofNanos))
                .ofMaxSize(3),
            Arbitraries.of("3.3", "4.10", "4.17").optional(),
            Arbitraries.integers().between(1, 64).optional(),
            Arbitraries.maps(
                    Arbitraries.of("Domain-0", "web", "db 2"),
                    Arbitraries.integers().between(1, 64))
                .ofMaxSize(3))
        .as(
            (demands, xen, pcpus, vcpus) ->
                new SimulationSpec(
                    demands, xen, pcpus.map(OptionalInt::of).orElse(OptionalInt.empty()), vcpus))
        .optional();
  }

  private static Arbitrary<Optional<Stop>> stops() {
    return Combinators.combine(
            Arbitraries.doubles().between(0.001, 0.999).ofScale(3),
            Arbitraries.of(Stop.Rule.class),
            Arbitraries.integers().between(50, 10_000),
            Arbitraries.longs().between(0, 4_000_000_000_000L).map(Duration::ofNanos))
        .as(Stop::new)
        .optional();
  }

  private static Arbitrary<Timing> timings() {
    Arbitrary<Duration> nanos =
        Arbitraries.longs().between(0, 4_000_000_000_000L).map(Duration::ofNanos);
    return Combinators.combine(nanos, nanos, nanos, nanos)
        .as(
            (first, second, measure, coolDown) ->
                new Timing(
                    // JMeter counts a ramp in whole seconds.
                    (first.compareTo(second) < 0 ? first : second).truncatedTo(ChronoUnit.SECONDS),
                    first.compareTo(second) < 0 ? second : first,
                    measure.plusSeconds(1),
                    coolDown));
  }

  private static Arbitrary<ValidityLimits> limits() {
    Arbitrary<Double> shares = Arbitraries.doubles().between(0, 1).ofScale(9);
    return Combinators.combine(
            shares,
            shares,
            Arbitraries.integers().between(0, 1_000_000),
            shares,
            shares,
            Arbitraries.integers().between(0, 100))
        .as(
            (errors, cpu, micros, gc, law, again) ->
                new ValidityLimits(
                    errors,
                    new ValidityLimits.OfGenerator(cpu, micros / 1e3, gc, micros / 1e3, errors),
                    law,
                    law,
                    micros / 1e3,
                    again));
  }

  private static Arbitrary<List<Integer>> loads() {
    return Arbitraries.integers()
        .between(1, 100_000)
        .list()
        .uniqueElements()
        .ofMinSize(1)
        .ofMaxSize(4);
  }

  private static Arbitrary<HostSpec> hosts() {
    HostSpec local =
        new HostSpec(
            "localhost",
            true,
            SshLogin.DEFAULT,
            true,
            Optional.of("bench"),
            Optional.of("xen"),
            Optional.of("xl"),
            HostLimits.DEFAULT,
            Optional.of(Duration.ofMinutes(5)));
    Arbitrary<Optional<Path>> paths =
        Arbitraries.of("/home/a b/.ssh/id", "/k").map(Path::of).optional();
    F7<
            String,
            Optional<String>,
            Integer,
            Optional<Path>,
            Boolean,
            Optional<String>,
            Boolean,
            HostSpec>
        remote =
            (address, user, port, path, sudo, pool, xm) ->
                new HostSpec(
                    address,
                    false,
                    new SshLogin(
                        user, port == 0 ? OptionalInt.empty() : OptionalInt.of(port), path, path),
                    sudo,
                    pool,
                    xm ? Optional.empty() : Optional.of("xen"),
                    xm ? Optional.of("xm") : Optional.empty(),
                    new HostLimits(Duration.ofSeconds(90), Duration.ofMinutes(5)),
                    Optional.empty());
    return Arbitraries.oneOf(
        Arbitraries.just(local),
        Combinators.combine(
                Arbitraries.of("dom0.example", "10.0.0.1", "[::1]", "null"),
                Arbitraries.of("root", "1000").optional(),
                Arbitraries.integers().between(0, 65535),
                paths,
                Arbitraries.of(true, false),
                Arbitraries.of("bench", "Pool-0", "1").optional(),
                Arbitraries.of(true, false))
            .as(remote));
  }

  private static Arbitrary<WorkloadSpec> workloads() {
    Arbitrary<Map<String, String>> properties =
        Arbitraries.maps(
                Arbitraries.of("host", "think-time", "a.b"),
                Arbitraries.of("1", "true", "a: b", "", "ü", "1e3", "- x"))
            .ofMaxSize(3);
    return Arbitraries.oneOf(
        Arbitraries.just(new WorkloadSpec("observe", Optional.empty(), Optional.empty(), Map.of())),
        properties.map(
            map ->
                new WorkloadSpec(
                    "web-app", Optional.empty(), Optional.of(URI.create("http://w:1/i?a=b")), map)),
        properties.map(
            map ->
                new WorkloadSpec(
                    "web-app",
                    Optional.empty(),
                    Optional.of(URI.create("https://w/")),
                    map,
                    ordered("database", "jdbc:postgresql://db/a", "database-user", "u: v"))),
        properties.map(
            map ->
                new WorkloadSpec(
                    "vps",
                    Optional.empty(),
                    Optional.empty(),
                    map,
                    Map.of("guests", List.of(ordered("name", "1", "target", "http://v/"))))),
        properties.map(
            map ->
                new WorkloadSpec(
                    "tpcb", Optional.empty(), Optional.empty(), map, sweepingNeighbours())),
        properties.map(
            map ->
                new WorkloadSpec(
                    "plan",
                    Optional.of(Path.of("/p/x.jmx")),
                    Optional.empty(),
                    map,
                    ordered("count", "transactions", "labels", List.of("a: b", "1")))));
  }

  /** Options as the reader gives them: in the order in which the workload names them. */
  private static Map<String, Object> ordered(String key, Object value, String next, Object other) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(key, value);
    map.put(next, other);
    return map;
  }

  private static Map<String, Object> sweepingNeighbours() {
    Map<String, Object> map = ordered("database", "jdbc:postgresql://db/a", "size", "small");
    map.put("interference", List.of(2L, 0L));
    map.put("interference-clients", 4L);
    map.put("verify", false);
    return map;
  }

  private static Arbitrary<Optional<Map<String, Object>>> labs() {
    Arbitrary<Object> values =
        Arbitraries.of(
            1,
            7_000_000_000L,
            -3,
            0.25,
            1e12,
            true,
            "yes",
            "1",
            "a: b",
            "",
            "2026-11-20",
            "1:30",
            List.of("x", 2),
            Map.of("deep", List.of(Map.of("k", false))));
    return Arbitraries.maps(Arbitraries.of("xen", "cost", "faults"), values)
        .ofMaxSize(3)
        .optional();
  }

  private static Arbitrary<List<SchedulerProfile>> profiles() {
    return parameters()
        .list()
        .ofMinSize(1)
        .ofMaxSize(4)
        .map(
            list -> {
              List<SchedulerProfile> profiles = new java.util.ArrayList<>();
              profiles.add(SchedulerProfile.AS_FOUND);
              for (SchedulerParameters parameters : list) {
                profiles.add(profile("p" + profiles.size(), parameters, profiles.size()));
              }
              return profiles;
            });
  }

  private static SchedulerProfile profile(String name, SchedulerParameters parameters, int kind) {
    return new SchedulerProfile(
        name,
        Optional.of(parameters.scheduler()),
        kind % 2 == 0 ? Map.of(Role.DOM0, parameters, Role.OTHER, parameters) : Map.of(),
        kind % 2 == 0 ? Map.of() : Map.of("yes", parameters, "Domain-0", parameters));
  }

  public static Arbitrary<SchedulerParameters> parameters() {
    Arbitrary<Integer> weights = Arbitraries.integers().between(1, 65535);
    Arbitrary<Integer> caps = Arbitraries.integers().between(0, 800);
    Arbitrary<Duration> periods =
        Arbitraries.longs().between(10, 10_000_000).map(us -> Duration.ofNanos(us * 1000));
    Arbitrary<Integer> percents = Arbitraries.integers().between(50, 100);
    return Arbitraries.oneOf(
        Combinators.combine(weights, caps).as(Credit::of),
        Combinators.combine(weights, caps).as(Credit2::of),
        weights.map(
            weight -> Sedf.of(Duration.ofMillis(100), Duration.ZERO, Duration.ZERO, true, weight)),
        Combinators.combine(periods, percents, Arbitraries.of(true, false))
            .as((period, share, extra) -> Sedf.of(period, part(period, share), period, extra, 0)),
        Combinators.combine(periods, Arbitraries.of(true, false))
            .as((period, extra) -> Rtds.of(period, period, extra)));
  }

  private static Duration part(Duration period, int percent) {
    return Duration.ofNanos(period.toNanos() / 1000 * percent / 100 * 1000);
  }
}
