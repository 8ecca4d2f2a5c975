package io.slicewise.lab.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.lab.sim.Machine.MachineSpec;
import io.slicewise.lab.sim.WebApplicationModel.Layout;
import io.slicewise.lab.sim.WebApplicationModel.Route;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The model of the web application obeys the operational laws of closed queueing networks. */
class WebApplicationModelTest {
  private static final Layout LAYOUT = new Layout(1, 3, 2, 0);
  private static final long SPAN = 300_000_000_000L;

  private record Pages(int count, double meanResponseNanos) {}

  private static Machine machine() {
    Machine machine = new Machine(new MachineSpec(4, SchedulerOptions.Credit.XEN_3_3, 1));
    machine.addDomain("SimDomain-0", 0, 4, Machine.POOL_0);
    machine.addDomain("Apache_Server", 1, 1, Machine.POOL_0);
    machine.addDomain("NFS_Server", 2, 2, Machine.POOL_0);
    machine.addDomain("MySQL_Server", 3, 2, Machine.POOL_0);
    return machine;
  }

  private static Pages run(Machine machine, Demands demands, int users, Duration think) {
    List<Long> responses = new ArrayList<>();
    new WebApplicationModel(
            machine,
            LAYOUT,
            Route.STUDY_2010,
            demands,
            users,
            think,
            7,
            (sent, answered) -> responses.add(answered - sent))
        .start(Duration.ZERO);
    machine.runUntil(SPAN);
    double mean = responses.stream().mapToLong(Long::longValue).average().orElseThrow();
    return new Pages(responses.size(), mean);
  }

  @Test
  void throughputIsWhatTheDiskAllowsAsInTheStudy() {
    Machine machine = machine();
    Pages pages = run(machine, Demands.STUDY_2010, 100, Duration.ZERO);
    double perSecond = pages.count() / (SPAN / 1e9);
    assertThat(perSecond).isCloseTo(94.39 / 1.125, within(1.5));
    // Little's law, without time to think: users = rate x response time.
    assertThat(perSecond * pages.meanResponseNanos() / 1e9).isCloseTo(100, within(1.5));
    // The utilisation law: Apache's share of its vCPU = rate x demand.
    double apache = (double) machine.times(1, 0).runningNanos() / SPAN;
    assertThat(apache).isCloseTo(perSecond * 5912e-6, within(0.015));
  }

  @Test
  void aFewUsersWhoThinkHardlyWaitForEachOther() {
    Duration think = Duration.ofSeconds(1);
    Pages pages = run(machine(), Demands.STUDY_2010, 4, think);
    double demandNanos = (5912 + 2956 + 810 + 13492 + 11919) * 1000.0;
    assertThat(pages.meanResponseNanos()).isBetween(demandNanos * 0.95, demandNanos * 1.15);
    double cycle = pages.meanResponseNanos() + think.toNanos();
    assertThat(pages.count() * cycle / SPAN).isCloseTo(4, within(0.3));
  }

  @Test
  void theSameSeedGivesTheSamePages() {
    assertThat(run(machine(), Demands.STUDY_2010, 25, Duration.ZERO))
        .isEqualTo(run(machine(), Demands.STUDY_2010, 25, Duration.ZERO));
  }
}
