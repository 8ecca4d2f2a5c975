package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.TestClock;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.CommandLines;
import io.slicewise.experiment.Experiment;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabSettings;
import io.slicewise.lab.fault.LabFault;
import io.slicewise.lab.fault.LabFault.FaultKind;
import io.slicewise.profile.Credit;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.StopRequest;
import io.slicewise.run.journal.JournalEvent.RunEnded;
import io.slicewise.run.journal.RunState;
import io.slicewise.sweep.follow.Follower;
import io.slicewise.sweep.guard.SweepOptions;
import io.slicewise.sweep.policy.LoadMetric;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Protects a followed host: its settings stay those that were asked for, and are restored. */
@KeepsTheMachineBusy
class HostFollowTest extends DeadMen {
  private static final String GUEST = "Apache_Server";

  private final List<String> notices = new CopyOnWriteArrayList<>();

  private Experiment site(Lab lab) throws IOException {
    return LabExperiment.read(armed(LabExperiment.two(lab, directory), "1m", "1s"));
  }

  private RunDirectory follow(Experiment site, Duration patience, Consumer<HostFollow> work) {
    return HostFollow.during(
        site,
        directory.resolve("results"),
        "follow",
        new SweepOptions(false, patience),
        stop,
        Clock.systemUTC(),
        notices::add,
        any -> {},
        work);
  }

  private RunDirectory follow(Experiment site, Consumer<HostFollow> work) {
    return follow(site, Duration.ofMinutes(1), work);
  }

  private static SchedulerProfile heavy(Experiment site) {
    return site.profiles().stream()
        .filter(profile -> profile.name().equals("w512"))
        .findFirst()
        .orElseThrow();
  }

  private static void setHeavy(Experiment site, HostFollow host) {
    assertThat(host.keep(heavy(site))).isEmpty();
  }

  private RunEnded end() {
    return RunDirectory.newest(directory.resolve("results")).orElseThrow().events().stream()
        .filter(RunEnded.class::isInstance)
        .map(RunEnded.class::cast)
        .reduce((earlier, later) -> later)
        .orElseThrow();
  }

  @Test
  void stopEndsItAndRestoresTheHost() throws Exception {
    try (Lab lab = Lab.start(burning())) {
      LabSettings found = lab.settings();
      Experiment site = site(lab);
      CompletableFuture<RunDirectory> changed = new CompletableFuture<>();
      CompletableFuture<RunDirectory> following =
          CompletableFuture.supplyAsync(
              () ->
                  follow(
                      site,
                      host -> {
                        setHeavy(site, host);
                        changed.complete(host.run());
                        stop.waitUntil(Instant.now().plusSeconds(60));
                      }));
      String run = changed.get().root().toString();
      assertThat(lab.settings()).isNotEqualTo(found);
      CommandLines.Said said = CommandLines.run("stop", run);
      assertThat(said.out()).isEqualTo(run + ": ended as asked\n");
      assertThat(said.exit()).isZero();
      following.get();
      assertThat(lab.settings()).isEqualTo(found);
    }
  }

  @Test
  void anInternalErrorRestoresTheHostAndIsNoLostHost() throws Exception {
    try (Lab lab = Lab.start(burning())) {
      LabSettings found = lab.settings();
      Experiment site = site(lab);
      for (Throwable fault : List.of(new IllegalStateException("odd"), new LinkageError("odd"))) {
        assertThatThrownBy(
                () ->
                    follow(
                        site,
                        host -> {
                          setHeavy(site, host);
                          fail(fault);
                        }))
            .isSameAs(fault);
        assertThat(lab.settings()).isEqualTo(found);
        assertThat(end().state()).isEqualTo(RunState.INTERRUPTED);
        assertThat(end().sentence()).isEqualTo("odd");
        assertNothingLeft(site);
      }
    }
  }

  private static void fail(Throwable fault) {
    if (fault instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) fault;
  }

  @Test
  void aLostConnectionIsAwaitedAndTheProfileVerified() throws Exception {
    LabFault lost = LabFault.at(FaultKind.DROP_CONNECTION, "xl sched-credit").occurrence(6);
    try (Lab lab = Lab.start(burning().withFaults(lost.times(2)))) {
      LabSettings found = lab.settings();
      Experiment site = site(lab);
      follow(
          site,
          host -> {
            for (int check = 0; check < 4; check++) {
              setHeavy(site, host);
              assertThat(lab.settings().of(GUEST)).isEqualTo(Credit.of(512, 0));
            }
          });
      assertThat(notices).contains("the host answers again");
      assertThat(lab.settings()).isEqualTo(found);
      assertThat(end().state()).isEqualTo(RunState.DONE);
    }
  }

  @Test
  void aRebootedHostGetsTheProfileAgain() throws Exception {
    try (Lab lab = Lab.start(burning())) {
      LabSettings found = lab.settings();
      Experiment site = site(lab);
      follow(
          site,
          host -> {
            setHeavy(site, host);
            lab.reboot(heavy(site).scheduler().orElseThrow());
            setHeavy(site, host);
            assertThat(lab.settings().of(GUEST)).isEqualTo(Credit.of(512, 0));
          });
      assertThat(lab.settings()).isEqualTo(found);
    }
  }

  @Test
  void aHostThatDoesNotComeBackEndsItClearly() throws Exception {
    Lab lab = Lab.start(burning());
    try (lab) {
      Experiment site = site(lab);
      assertThatThrownBy(
              () ->
                  follow(
                      site,
                      Duration.ofSeconds(1),
                      host -> {
                        setHeavy(site, host);
                        lab.close();
                        setHeavy(site, host);
                      }))
          .isInstanceOfSatisfying(
              SlicewiseException.class,
              fault -> assertThat(fault.errorKind()).isEqualTo(ErrorKind.NOT_RESTORED))
          .hasMessageContaining("its dead man's switch restores it when its time is up");
      assertThat(notices).contains("gave up on the host after 1s");
      assertThat(end().state()).isEqualTo(RunState.NOT_RESTORED);
    }
  }

  @Test
  void aRestartedGuestGetsTheProfileAgain() throws Exception {
    try (Lab lab = Lab.start(burning())) {
      LabSettings found = lab.settings();
      Experiment site = site(lab);
      follow(
          site,
          host -> {
            setHeavy(site, host);
            lab.restart(GUEST);
            assertThat(lab.settings().of(GUEST)).isEqualTo(Credit.of(256, 0));
            setHeavy(site, host);
            assertThat(lab.settings().of(GUEST)).isEqualTo(Credit.of(512, 0));
          });
      assertThat(notices)
          .containsExactly(
              "Apache_Server no longer had the settings of w512, as after a restart; they are set"
                  + " again");
      assertThat(lab.settings()).isEqualTo(found);
    }
  }

  @Test
  void aGuestThatDoesNotRunIsAwaited() throws Exception {
    try (Lab lab = Lab.start(burning())) {
      Experiment site = site(lab);
      follow(
          site,
          host -> {
            lab.destroy(GUEST);
            assertThat(host.keep(heavy(site))).get().asString().contains(GUEST, "not run");
            lab.create(GUEST);
            setHeavy(site, host);
            assertThat(lab.settings().of(GUEST)).isEqualTo(Credit.of(512, 0));
          });
      assertThatThrownBy(
              () ->
                  follow(
                      site,
                      Duration.ZERO,
                      host -> {
                        lab.destroy(GUEST);
                        host.keep(heavy(site));
                        host.keep(heavy(site));
                      }))
          .hasMessageContaining(GUEST);
      assertThat(end().state()).isEqualTo(RunState.INTERRUPTED);
    }
  }

  @Test
  void aValueThatSomeoneElseSetsEndsItAndIsLeft() throws Exception {
    try (Lab lab = Lab.start(burning())) {
      Experiment site = site(lab);
      assertThatThrownBy(
              () ->
                  follow(
                      site,
                      host -> {
                        setHeavy(site, host);
                        atTheHost(site, "xl", "sched-credit", "-d", GUEST, "-w", "300");
                        setHeavy(site, host);
                      }))
          .hasMessageContaining("set by someone else");
      assertThat(lab.settings().of(GUEST)).isEqualTo(Credit.of(300, 0));
      assertThat(end().state()).isEqualTo(RunState.CHANGED_BY_OTHERS);
    }
  }

  /** Its guest is gone before the second listing, so there never is a share of time. */
  @Test
  void aLoadOfWhichNoReadingEverCameIsNoticed() throws Exception {
    try (Lab lab = Lab.start(burning())) {
      Experiment site = site(lab);
      Clock fast = new Fast();
      StopRequest ended = new StopRequest(fast);
      Follower.Listener listener =
          new Follower.Listener() {
            @Override
            public void status(Follower.Status status) {
              if (lab.settings().domains().containsKey(GUEST)) {
                lab.destroy(GUEST);
              }
            }

            @Override
            public void notice(String sentence) {
              if (sentence.startsWith("no load")) {
                notices.add(sentence);
                ended.askNow();
              }
            }
          };
      new Follower(
              FollowOnLabTest.policy(LoadMetric.parse("run share of " + GUEST), 20),
              site,
              ended,
              listener,
              fast)
          .follow(
              directory.resolve("results"),
              SweepOptions.DEFAULT,
              Optional.of(Duration.ofMinutes(5)));
      assertThat(notices)
          .containsExactly(
              "no load has been read for 60 s: Apache_Server does not run; the settings stay");
    }
  }

  /** A clock that runs twenty times as fast. */
  private static final class Fast extends TestClock {
    private final Instant start = Instant.now();

    @Override
    public Instant instant() {
      return start.plus(Duration.between(start, Instant.now()).multipliedBy(20));
    }
  }
}
