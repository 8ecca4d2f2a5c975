package io.slicewise.host.libvirt;

import io.slicewise.base.units.Phrase;
import io.slicewise.host.Accounts;
import io.slicewise.host.Domain;
import io.slicewise.host.libvirt.GuestThreads.Guest;
import io.slicewise.host.libvirt.GuestThreads.ThreadTimes;
import io.slicewise.observe.Reading;
import io.slicewise.ssh.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Shares of guests between two readings of their threads. Run and ready are counted. Throttling by
 * the quota of a vCPU or its guest is a part of ready; the rest of ready is contention. Blocked is
 * the remaining time: the vCPU is idle or waits for its emulator.
 *
 * <p>The kernel adds a wait when it ends, so a wait in progress at either end of the window causes
 * an error of up to its length.
 */
record ThreadShares(GuestThreads.Reading before, GuestThreads.Reading after) {
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
                Math.max(0, to.emulatorThrottled() - from.emulatorThrottled()) / NANOS / seconds)),
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
