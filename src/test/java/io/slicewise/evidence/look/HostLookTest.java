package io.slicewise.evidence.look;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.evidence.look.Ceiling.Verdict;
import io.slicewise.experiment.HostSpec;
import io.slicewise.experiment.HostSpec.HostLimits;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabClient;
import io.slicewise.lab.LabGuest;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.libvirt.GroupVersion;
import io.slicewise.profile.Scheduler;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.SshLogin;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Protects looks at hosts whose contention is known, over SSH and with their own monitors. */
@KeepsTheMachineBusy
@Execution(ExecutionMode.CONCURRENT)
class HostLookTest {
  private static final Duration TIME = Duration.ofSeconds(2);

  private static LabOptions libvirt(LabGuest... guests) {
    return LabOptions.sshOnly().withLibvirt(GroupVersion.V2).withCpus(1, 1).withGuests(guests);
  }

  private static void await(Instant time) {
    while (Instant.now().isBefore(time)) {
      LockSupport.parkNanos(Duration.between(Instant.now(), time).toNanos());
    }
  }

  private static Look look(Lab lab, Consumer<Instant> waiter) {
    HostSpec spec =
        new HostSpec(
            "127.0.0.1",
            false,
            SshLogin.of("root", lab.sshPort(), lab.privateKey(), lab.knownHosts()),
            false,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            HostLimits.DEFAULT,
            Optional.empty());
    return new HostLook(spec, "host", Optional.empty(), waiter).over(TIME);
  }

  private static Look look(Lab lab) {
    return look(lab, HostLookTest::await);
  }

  private static void run(Lab lab, String... words) {
    try (RemoteShell shell = LabClient.open(lab)) {
      CommandResult result = shell.run(Command.changing(words));
      assertThat(result.succeeded()).as(result.standardError()).isTrue();
    }
  }

  @Test
  void namesWhoWaitsAndForWhom() {
    try (Lab lab = Lab.start(libvirt(LabGuest.burning("one", 1), LabGuest.burning("two", 1)))) {
      String before = lab.settings().toString();
      Look look = look(lab);
      assertThat(look.answer()).isEqualTo(Verdict.SATURATED);
      assertThat(look.guests())
          .allSatisfy(guest -> assertThat(guest.ceiling().closed()).isBetween(0.4, 0.6));
      assertThat(look.waits().get(0)).contains(" waited ", "others ran: ");
      assertThat(lab.settings()).hasToString(before);
    }
  }

  /** Its own vCPU takes all of its time, and nobody else wants any. */
  @Test
  void findsNothingToGainWhereNobodyCompetes() {
    try (Lab lab = Lab.start(libvirt(LabGuest.burning("one", 1), LabGuest.of("two", 1)))) {
      Look look = look(lab);
      assertThat(look.answer()).as("%s", look).isEqualTo(Verdict.NOTHING_TO_GAIN);
      assertThat(look.with(Verdict.IDLE)).extracting(LookedGuest::name).containsExactly("two");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"xl-4.17", "xm-3.4"})
  void findsNothingToGainOnAnIdleXen(String toolstack) {
    try (Lab lab =
        Lab.start(
            LabOptions.sshOnly().withToolstack(toolstack).withGuests(LabGuest.of("one", 2)))) {
      assertThat(look(lab).answer()).isEqualTo(Verdict.IDLE);
    }
  }

  @Test
  void namesAQuotaInsteadOfACeiling() {
    try (Lab lab = Lab.start(libvirt(LabGuest.burning("one", 1), LabGuest.of("two", 1)))) {
      run(lab, "virsh", "schedinfo", "one", "--live", "--set", "vcpu_quota=30000");
      Look look = look(lab);
      assertThat(look.answer()).isEqualTo(Verdict.CAPPED);
      assertThat(look.sentences().get(0)).contains("one was held back by its own limit", "30 ms");
    }
  }

  @Test
  void namesACapThatItsMonitorDoesNotCount() {
    try (Lab lab =
        Lab.start(
            LabOptions.sshOnly()
                .withToolstack("xl-4.17")
                .withScheduler(Scheduler.CREDIT)
                .withGuests(LabGuest.burning("one", 1)))) {
      run(lab, "xl", "sched-credit", "-d", "one", "-c", "40");
      Look look = look(lab);
      assertThat(look.answer()).isEqualTo(Verdict.CAPPED);
      assertThat(look.sentences().get(0)).contains("may be held back by its own limit", "cap 40");
    }
  }

  @Test
  void leavesAGuestWithoutACeilingThatEndsMeanwhile() {
    try (Lab lab = Lab.start(libvirt(LabGuest.burning("one", 1), LabGuest.burning("two", 1)))) {
      boolean[] done = new boolean[1];
      Look look =
          look(
              lab,
              time -> {
                await(time.minusSeconds(1));
                if (done[0]) {
                  run(lab, "virsh", "destroy", "two");
                }
                done[0] = true;
                await(time);
              });
      assertThat(look.with(Verdict.UNKNOWN)).extracting(LookedGuest::name).containsExactly("two");
      assertThat(look.sentences().toString()).contains("No ceiling for two: ");
    }
  }

  @Test
  void refusesAHostWithoutGuests() {
    try (Lab lab = Lab.start(libvirt(LabGuest.off("one", 1)))) {
      assertThatThrownBy(() -> look(lab))
          .isInstanceOf(SlicewiseException.class)
          .hasMessageContaining("host runs no guests");
    }
  }

  /** Hosts that are idle, or busy without anybody to wait for. */
  @Test
  @Tag("nightly")
  void findsNothingToGainInAHundredLooksWithoutContention() throws Exception {
    List<LabOptions> hosts =
        List.of(
            LabOptions.sshOnly().withToolstack("xl-4.17").withGuests(LabGuest.of("one", 2)),
            LabOptions.sshOnly()
                .withToolstack("xl-4.4")
                .withGuests(LabGuest.burning("one", 2), LabGuest.of("two", 1)),
            libvirt(LabGuest.of("one", 1), LabGuest.of("two", 1)),
            libvirt(LabGuest.burning("one", 1), LabGuest.of("two", 1)));
    ExecutorService workers = Executors.newFixedThreadPool(hosts.size());
    try {
      List<Future<List<Look>>> looked = new ArrayList<>();
      for (LabOptions host : hosts) {
        looked.add(workers.submit(() -> looks(host, 25)));
      }
      List<Look> all = new ArrayList<>();
      for (Future<List<Look>> one : looked) {
        all.addAll(one.get());
      }
      assertThat(all).hasSize(100);
      assertThat(all)
          .filteredOn(
              look -> !Set.of(Verdict.NOTHING_TO_GAIN, Verdict.IDLE).contains(look.answer()))
          .hasSizeLessThanOrEqualTo(5);
    } finally {
      workers.shutdownNow();
    }
  }

  private static List<Look> looks(LabOptions host, int times) {
    try (Lab lab = Lab.start(host)) {
      List<Look> looks = new ArrayList<>();
      for (int i = 0; i < times; i++) {
        looks.add(look(lab));
      }
      return looks;
    }
  }
}
