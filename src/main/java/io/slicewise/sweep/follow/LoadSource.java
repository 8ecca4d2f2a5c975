package io.slicewise.sweep.follow;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.host.Domain;
import io.slicewise.load.access.AccessLog;
import io.slicewise.sweep.HostFollow;
import io.slicewise.sweep.policy.Policy;
import io.slicewise.workload.Traffic;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/** Where the load is read that a policy follows. */
interface LoadSource extends AutoCloseable {
  /**
   * A reading.
   *
   * @param load since the reading before, in the policy's metric
   * @param requests that ended in it; 0 where requests are not read
   * @param sumOfLogMillis of the natural logarithms of their durations in milliseconds
   */
  record Reading(Instant at, double load, long requests, double sumOfLogMillis) {}

  /**
   * Returns the next reading since; empty if there is none yet.
   *
   * @throws SlicewiseException if the load can no longer be read at all
   */
  Optional<Reading> next();

  /** Returns why there is no reading, as a clause. */
  String trouble();

  @Override
  void close();

  /**
   * Opens the source of a policy's load.
   *
   * @param site with the access log, if the policy needs one
   * @throws SlicewiseException if the load cannot be read there
   */
  static LoadSource of(Policy policy, Experiment site, HostFollow host, Clock clock) {
    return policy
        .load()
        .domain()
        .<LoadSource>map(domain -> new RunShare(host, domain, policy.load().pause(), clock))
        .orElseGet(() -> new Requests(log(site)));
  }

  /** Returns the access log of a site. */
  static Traffic log(Experiment site) {
    return HostFollow.traffic(site)
        .orElseThrow(
            () ->
                SlicewiseException.input(
                    "the policy follows requests/s, and experiment %s has no access log"
                        .formatted(site.name()),
                    "give it 'workload: {name: traffic, log: …}', as 'slicewise init traffic'"
                        + " writes it, or make a policy by 'run share of DOMAIN'"));
  }

  /**
   * Requests per second, by an access log: one reading for each second since its first request. A
   * log without any may be a late one. While lines are not understood, there is no reading, because
   * it would be too low.
   */
  final class Requests implements LoadSource {
    private static final Duration KEPT = Duration.ofMinutes(1);

    private final AccessLog log;
    private final Queue<Reading> readings = new ConcurrentLinkedQueue<>();
    private Instant forgotten = Instant.MIN;
    private boolean any;

    Requests(Traffic traffic) {
      log = traffic.follow();
      try {
        log.awaitBegun();
      } catch (RuntimeException unread) {
        log.close();
        throw unread;
      }
      log.watch(
          (at, requests, errors, sumOfLogMillis) ->
              readings.add(new Reading(at, requests, requests, sumOfLogMillis)));
    }

    @Override
    public Optional<Reading> next() {
      log.refuseEnded();
      if (log.unreadable().isPresent()) {
        readings.clear();
      }
      while (!any && !readings.isEmpty() && readings.peek().requests() == 0) {
        readings.remove();
      }
      any |= !readings.isEmpty();
      Optional<Reading> next = Optional.ofNullable(readings.poll());
      if (next.filter(reading -> forgotten.plus(KEPT).isBefore(reading.at())).isPresent()) {
        forgotten = next.get().at();
        log.forget();
      }
      return next;
    }

    @Override
    public String trouble() {
      return log.trouble()
          .orElse(any ? "the log's machine does not answer" : "the log has no request yet");
    }

    @Override
    public void close() {
      log.close();
    }
  }

  /** The part of a domain's vCPU time in which they ran, by the host's listing of domains. */
  final class RunShare implements LoadSource {
    private final Duration pause;
    private final HostFollow host;
    private final String domain;
    private final Clock clock;
    private final Queue<Reading> readings = new ArrayDeque<>();
    private Optional<Domain> last = Optional.empty();
    private Instant looked = Instant.MIN;

    RunShare(HostFollow host, String domain, Duration pause, Clock clock) {
      this.pause = pause;
      this.host = host;
      this.domain = domain;
      this.clock = clock;
      List<Domain> running = host.domains();
      if (running.stream().noneMatch(one -> one.name().equals(domain))) {
        throw new SlicewiseException(
            ErrorKind.NOT_READY,
            "the policy follows the run share of %s, which does not run on this host"
                .formatted(domain),
            "start it; running are "
                + running.stream().map(Domain::name).collect(Collectors.joining(", ")));
      }
    }

    @Override
    public Optional<Reading> next() {
      Instant now = clock.instant();
      if (!now.isBefore(looked.plus(pause))) {
        Optional<Domain> seen =
            host.domains().stream().filter(one -> one.name().equals(domain)).findFirst();
        Instant after = clock.instant();
        if (last.isPresent() && seen.filter(one -> one.id() == last.get().id()).isPresent()) {
          double seconds = Duration.between(looked, after).toNanos() / 1e9;
          double used = seen.get().cpuSeconds() - last.get().cpuSeconds();
          readings.add(new Reading(after, 100 * used / seconds / seen.get().vcpus(), 0, 0));
        }
        last = seen;
        looked = after;
      }
      return Optional.ofNullable(readings.poll());
    }

    @Override
    public String trouble() {
      return domain + " does not run";
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}
