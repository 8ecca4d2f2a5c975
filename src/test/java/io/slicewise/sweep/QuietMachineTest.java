package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.run.StopRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Protects when a run waits for other programs, for how long, and what it reports; no real time.
 */
class QuietMachineTest {
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final List<String> notices = new ArrayList<>();
  private final Deque<Double> shares = new ArrayDeque<>();
  private Duration time = Duration.ZERO;
  private Duration stopAt = Duration.ofDays(1);
  private final StopRequest stop = new StopRequest(Clock.fixed(Instant.MAX, ZoneOffset.UTC));

  /** A machine whose other programs use these shares in turn, and the last one from then on. */
  private QuietMachine machine(Duration patience, double... others) {
    for (double share : others) {
      shares.add(share);
    }
    QuietMachine.Reading reading =
        new QuietMachine.Reading() {
          @Override
          public double othersFor(Duration atLeast) {
            time = time.plus(atLeast);
            stop.waitUntil(Instant.EPOCH.plus(time));
            return shares.size() == 1 ? shares.peek() : shares.remove();
          }

          @Override
          public boolean goesOn() {
            return time.compareTo(stopAt) < 0;
          }

          @Override
          public int runQueue() {
            return 14;
          }
        };
    return new QuietMachine(reading, 0.25, patience, notices::add);
  }

  @Test
  void aRequestToStopEndsTheWaitingInOneSentence() {
    stopAt = Duration.ofSeconds(30);
    assertThatThrownBy(machine(PATIENCE, 0.9)::awaitStart)
        .isInstanceOf(SlicewiseException.class)
        .hasMessage(
            "interrupted while waiting for a quiet machine; nothing was measured or changed");
    assertThat(time).isLessThan(Duration.ofMinutes(1));
  }

  @Test
  void soDoTwoRequestsAtOnce() {
    stop.askNow();
    assertThatThrownBy(machine(PATIENCE, 0.9)::awaitStart)
        .isInstanceOf(SlicewiseException.class)
        .hasMessage(
            "interrupted while waiting for a quiet machine; nothing was measured or changed");
  }

  @Test
  void aQuietMachineCostsOneGlance() {
    QuietMachine machine = machine(PATIENCE, 0.24);
    machine.awaitStart();
    machine.awaitNext();
    assertThat(time).isEqualTo(Duration.ofSeconds(2));
    assertThat(notices).isEmpty();
  }

  @Test
  void aBusyMachineIsAwaitedAndNamed() {
    machine(PATIENCE, 0.96, 0.9, 0.3, 0.05).awaitStart();
    assertThat(notices)
        .containsExactly(
            "this machine is busy (run queue 14): other programs use 96 % of its CPU (limit 25 %),"
                + " and results would not count; waiting for up to 10m (--anyway does not wait)",
            "this machine is quiet again after 15s");
    assertThat(time).isEqualTo(Duration.ofSeconds(16));
  }

  @Test
  void aMachineThatStaysBusyRefusesTheStart() {
    assertThatThrownBy(machine(PATIENCE, 0.96)::awaitStart)
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("this machine stayed busy");
    assertThat(time).isEqualTo(PATIENCE.plusSeconds(1));
  }

  @Test
  void allPausesOfARunShareOneLimit() {
    QuietMachine machine = machine(Duration.ofSeconds(12), 0.1, 0.9, 0.1, 0.9);
    machine.awaitStart();
    machine.awaitNext(); // 5 s of 12
    machine.awaitNext(); // the rest
    Duration spent = time;
    machine.awaitNext();
    assertThat(time).isEqualTo(spent);
    assertThat(notices)
        .hasSize(4)
        .last()
        .isEqualTo("this machine stays busy; the run continues, and busy windows do not count");
  }

  @Test
  void withoutPatienceNothingIsReadAndAnUnknownShareIsNotBusy() {
    machine(Duration.ZERO, 0.96).awaitStart();
    assertThat(time).isZero();
    shares.clear();
    machine(PATIENCE, Double.NaN).awaitStart();
    assertThat(notices).isEmpty();
  }
}
