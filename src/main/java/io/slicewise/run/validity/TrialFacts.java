package io.slicewise.run.validity;

import io.slicewise.base.units.Window;
import io.slicewise.host.HostState.Disturbance;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.load.generator.GeneratorHealth;
import io.slicewise.load.generator.GeneratorHealth.Arrivals;
import io.slicewise.load.generator.GeneratorHealth.Passes;
import io.slicewise.load.generator.GeneratorOutput.ClockOffset;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.Observation;
import io.slicewise.profile.SchedulerParameters;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The facts about a trial that the rules need, without judgement.
 *
 * @param users concurrent users; 0 if nothing was loaded, or the load is open
 * @param warmUp how long the load ran before the measured window
 * @param window the measured window
 * @param load the samples' values; empty if nothing was loaded
 * @param machine that Slicewise runs on
 */
public record TrialFacts(
    int users,
    Duration warmUp,
    Window window,
    Optional<Load> load,
    Host host,
    Generators generators,
    Settings settings,
    Conduct conduct,
    ThisMachine machine) {

  /** Returns the shares of each domain by the hypervisor's monitor. */
  List<DomainShares> shares() {
    return HypervisorShares.shares(host.monitor);
  }

  /** Returns the arrivals of an open load that began in the window, on all generators. */
  long arrivals() {
    return generators.health.values().stream()
        .flatMap(health -> health.arrivals().stream())
        .mapToLong(Arrivals::started)
        .sum();
  }

  /** Returns the passes of an open load, on all generators; empty if one did not count them. */
  Optional<Passes> passes() {
    List<Arrivals> all =
        generators.health.values().stream().flatMap(one -> one.arrivals().stream()).toList();
    List<Passes> passes = all.stream().flatMap(one -> one.passes().stream()).toList();
    return passes.size() < all.size()
        ? Optional.empty()
        : passes.stream()
            .reduce((a, b) -> new Passes(a.ended() + b.ended(), a.inFlight() + b.inFlight()));
  }

  /**
   * The host and its domains in the window.
   *
   * @param pcpus of the host or of the domains' common pool; 0 if unknown
   * @param serving names of the domains that serve the load; may be empty
   */
  public record Host(Observation monitor, int pcpus, Set<String> serving) {
    public Host {
      serving = Set.copyOf(serving);
    }
  }

  /**
   * What generated the load, by name.
   *
   * @param health empty if nothing was loaded
   * @param parts of a load from several or other machines
   */
  public record Generators(Map<String, GeneratorHealth> health, Map<String, Part> parts) {
    public static final Generators NONE = new Generators(Map.of(), Map.of());

    public Generators {
      health = Collections.unmodifiableMap(new LinkedHashMap<>(health));
      parts = Collections.unmodifiableMap(new LinkedHashMap<>(parts));
    }
  }

  /**
   * The machine that Slicewise runs on, in the window; {@code NaN} where a value is unknown.
   *
   * @param labLatenessMillis how late the embedded lab was, 99th percentile
   * @param otherWorkShare of its CPU that other programs used, 0..1
   */
  public record ThisMachine(double labLatenessMillis, double otherWorkShare) {
    public static final ThisMachine UNKNOWN = new ThisMachine(Double.NaN, Double.NaN);
  }

  /**
   * The values of the samples in the window.
   *
   * @param throughput requests per second over the window
   * @param cycle for Little's law
   * @param perSecond samples that ended in each whole second of the window; may be empty
   */
  public record Load(
      long samples, long failed, double throughput, Cycle cycle, List<Long> perSecond) {
    public Load {
      perSecond = List.copyOf(perSecond);
    }
  }

  /**
   * The cycle that each user repeats, whichever samples are counted.
   *
   * @param perSecond requests of all users together
   * @param responseMillis mean response time
   * @param thinkMillis mean pause of a user between an answer and the next request; {@code NaN} if
   *     unknown or if the load is open, so that Little's law is not applied
   */
  public record Cycle(double perSecond, double responseMillis, double thinkMillis) {
    public double millis() {
      return responseMillis + thinkMillis;
    }
  }

  /**
   * What one generator did of a load.
   *
   * @param clock of the generator's machine
   * @param users 0 if they were not split
   * @param requests in the window
   * @param p50Millis {@code NaN} if unknown
   */
  public record Part(ClockOffset clock, int users, long requests, double p50Millis) {
    double requestsPerUser() {
      return users == 0 ? Double.NaN : (double) requests / users;
    }
  }

  /**
   * The course of the trial compared with its plan.
   *
   * @param planned length of the measured window; zero if it was not planned
   * @param changes of studied guests and their pools during the trial, in sentences
   * @param disturbances by other guests
   * @param machines what their kernels counted, by machine
   * @param needed machines without which the trial does not count
   * @param work empty if it measured a window of time
   * @param faults why what its users experienced cannot be read, in clauses
   * @param unloaded guests that the trial does not load, so that they must be idle
   */
  public record Conduct(
      Duration planned,
      List<String> changes,
      List<Disturbance> disturbances,
      Map<String, MachineCounters> machines,
      List<String> needed,
      Optional<Work> work,
      List<String> faults,
      Set<String> unloaded) {
    public static final Conduct UNKNOWN = new Conduct(Duration.ZERO, List.of(), List.of());

    /** Returns the same of a part of the load that has faults of its own. */
    public Conduct and(List<String> more) {
      return new Conduct(
          planned,
          changes,
          disturbances,
          machines,
          needed,
          work,
          Stream.concat(faults.stream(), more.stream()).toList(),
          unloaded);
    }

    /** The conduct of a trial without machines that are read. */
    public Conduct(Duration planned, List<String> changes, List<Disturbance> disturbances) {
      this(
          planned,
          changes,
          disturbances,
          Map.of(),
          List.of(),
          Optional.empty(),
          List.of(),
          Set.of());
    }

    public Conduct {
      changes = List.copyOf(changes);
      disturbances = List.copyOf(disturbances);
      machines = Collections.unmodifiableMap(new LinkedHashMap<>(machines));
      needed = List.copyOf(needed);
      faults = List.copyOf(faults);
      unloaded = Set.copyOf(unloaded);
    }
  }

  /**
   * The fixed amount of work that a trial measured.
   *
   * @param within the longest time that it may take
   * @param state what its caches should be, {@code warm} or {@code cold}; empty for neither
   * @param server the machine that does the work
   * @param executions of a request
   * @param needed bytes that the server's program read by its own count, by execution; {@code NaN}
   *     if it does not count them
   */
  public record Work(
      Duration within, String state, String server, double executions, double needed) {}

  /**
   * Scheduler parameters by domain name.
   *
   * @param asked the settings of the profile; domains that it does not change are absent
   * @param before read back before the load
   * @param after read back after the load; empty if it was not read again
   */
  public record Settings(
      Map<String, SchedulerParameters> asked,
      Map<String, SchedulerParameters> before,
      Map<String, SchedulerParameters> after) {
    public static final Settings NONE = new Settings(Map.of(), Map.of(), Map.of());

    public Settings {
      asked = Map.copyOf(asked);
      before = Map.copyOf(before);
      after = Map.copyOf(after);
    }
  }
}
