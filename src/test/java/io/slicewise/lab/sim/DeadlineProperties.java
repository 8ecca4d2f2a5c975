package io.slicewise.lab.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.lab.sim.Machine.MachineSpec;
import io.slicewise.profile.Rtds;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Sedf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * What the deadline schedulers promise: whenever the reservations fit a pCPU, each vCPU gets its
 * slice or budget in each of its periods, down to a full pCPU (EDF is optimal on one).
 */
class DeadlineProperties {
  private static final long MILLI = 1_000_000;

  private record Reservation(long periodNanos, long sliceNanos) {}

  /** Reservations that fill a pCPU exactly, or nearly, with periods that divide 240 ms. */
  private static List<Reservation> fitting(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] periods = {10 * MILLI, 12 * MILLI, 20 * MILLI, 30 * MILLI, 60 * MILLI, 120 * MILLI};
    List<Reservation> reservations = new ArrayList<>();
    double left = 1;
    while (reservations.size() < 4) {
      long period = periods[random.nextInt(periods.length)];
      double part = reservations.size() == 3 ? left : left * random.nextDouble(0.2, 0.8);
      long slice = (long) (period * part) / 1000 * 1000;
      reservations.add(new Reservation(period, slice));
      left -= (double) slice / period;
    }
    return reservations;
  }

  /** Run time of each domain in each of its periods, the first one left out. */
  private static void checkEveryPeriod(Machine machine, List<Reservation> reservations) {
    long span = 2_400 * MILLI;
    long[] before = new long[reservations.size()];
    for (long now = MILLI; now <= span; now += MILLI) {
      machine.runUntil(now);
      for (int i = 0; i < before.length; i++) {
        Reservation reservation = reservations.get(i);
        if (now % reservation.periodNanos() == 0) {
          long ran = machine.times(i + 1, 0).runningNanos();
          if (now > reservation.periodNanos()) {
            assertThat(ran - before[i])
                .as("domain %d in the period that ends at %d ns", i + 1, now)
                .isGreaterThanOrEqualTo(reservation.sliceNanos());
          }
          before[i] = ran;
        }
      }
    }
  }

  @Property(tries = 60)
  void rtdsGivesEveryBudgetInEveryPeriodOnAFullPcpu(@ForAll long seed, @ForAll boolean extratime) {
    List<Reservation> reservations = fitting(seed);
    Machine machine = new Machine(new MachineSpec(1, SchedulerOptions.Rtds.XEN_4_17, seed));
    for (int i = 0; i < reservations.size(); i++) {
      machine.addDomain("d" + i, i + 1, 1, Machine.POOL_0);
      machine.set(
          i + 1,
          Rtds.of(
              Duration.ofNanos(reservations.get(i).periodNanos()),
              Duration.ofNanos(reservations.get(i).sliceNanos()),
              extratime));
      machine.burn(i + 1, 0);
    }
    checkEveryPeriod(machine, reservations);
  }

  @Property(tries = 60)
  void sedfGivesEverySliceOnAFullPcpu(@ForAll long seed, @ForAll boolean extratime) {
    List<Reservation> reservations = fitting(seed);
    Machine machine = new Machine(new MachineSpec(1, SchedulerOptions.Sedf.XEN_4_1, seed));
    for (int i = 0; i < reservations.size(); i++) {
      machine.addDomain("d" + i, i + 1, 1, Machine.POOL_0);
      machine.set(i + 1, sedf(reservations.get(i), extratime));
      machine.burn(i + 1, 0);
    }
    machine.runUntil(2_400 * MILLI);
    for (int i = 0; i < reservations.size(); i++) {
      Reservation reservation = reservations.get(i);
      double due = (double) reservation.sliceNanos() / reservation.periodNanos();
      double got = machine.times(i + 1, 0).runningNanos() / (2_400.0 * MILLI);
      // Each one's first period starts with its slice; the last may be cut by the end.
      assertThat(got).isGreaterThan(due * (1 - 2.0 * reservation.periodNanos() / (2_400 * MILLI)));
    }
  }

  private static SchedulerParameters sedf(Reservation reservation, boolean extratime) {
    return Sedf.of(
        Duration.ofNanos(reservation.periodNanos()),
        Duration.ofNanos(reservation.sliceNanos()),
        Duration.ZERO,
        extratime,
        0);
  }

  @Property(tries = 30)
  void withoutExtratimeNobodyGetsMoreThanReserved(@ForAll long seed, @ForAll boolean rtds) {
    List<Reservation> reservations = fitting(seed);
    SchedulerOptions options =
        rtds ? SchedulerOptions.Rtds.XEN_4_17 : SchedulerOptions.Sedf.XEN_4_1;
    Machine machine = new Machine(new MachineSpec(1, options, seed));
    Reservation only = reservations.get(0);
    machine.addDomain("only", 1, 1, Machine.POOL_0);
    if (rtds) {
      Duration period = Duration.ofNanos(only.periodNanos());
      machine.set(1, Rtds.of(period, Duration.ofNanos(only.sliceNanos()), false));
    } else {
      machine.set(1, sedf(only, false));
    }
    machine.burn(1, 0);
    machine.runUntil(24_000 * MILLI);
    double due = (double) only.sliceNanos() / only.periodNanos();
    assertThat(machine.times(1, 0).runningNanos() / (24_000.0 * MILLI))
        .isCloseTo(due, within(0.01));
  }
}
