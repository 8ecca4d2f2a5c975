package io.slicewise.host.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.Window;
import io.slicewise.host.Domain;
import io.slicewise.host.GuestId;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.Hypervisor.Applied;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.Hypervisors;
import io.slicewise.host.Undo;
import io.slicewise.host.groups.Groups.GroupChanges;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.host.monitor.Monitor;
import io.slicewise.host.monitor.Monitors;
import io.slicewise.observe.Observation.Reading;
import io.slicewise.profile.Fair;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RunningCommand;
import io.slicewise.ssh.Shells;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Holds the kind {@code groups} to the kernel of this machine: every setting is accepted from every
 * other, read back and undone, and what the kernel would refuse or ignore is refused first.
 */
@ResourceLock(RealGroups.LOCK)
@Tag("lab")
class OnRealGroupsTest {
  private static final SchedulerParameters DEFAULTS = SchedulerParameters.defaults(Scheduler.FAIR);

  /** No group of anybody else has this name. */
  private static final String WEB = "slicewise-web";

  private static final String BURN = "while :; do :; done";

  private RealGroups groups;
  private RemoteShell shell;
  private Hypervisor host;

  @BeforeEach
  void start() {
    groups = RealGroups.with(WEB, "slicewise-batch");
    shell = Shells.local();
    host = Hypervisors.probe(shell, false, Optional.of("groups"), Optional.empty());
  }

  @AfterEach
  void end() {
    if (groups != null) {
      groups.close();
    }
  }

  private Domain web() {
    return host.domains().stream()
        .filter(domain -> domain.name().equals(WEB))
        .findFirst()
        .orElseThrow();
  }

  private SchedulerParameters settings() {
    return Setting.byName(host.settings()).get(WEB);
  }

  private SchedulerParameters random(Random random) {
    Duration period = Duration.ofMillis(1 + random.nextInt(200));
    boolean limited = random.nextBoolean();
    Duration quota = limited ? Duration.ofMillis(1 + random.nextInt(200)) : Duration.ZERO;
    boolean burst = limited && random.nextBoolean();
    boolean idle = random.nextInt(4) == 0;
    return DEFAULTS
        .with(Fair.SHARES, idle || random.nextBoolean() ? 0 : 2 + random.nextInt(9_000))
        .with(Fair.QUOTA, quota)
        .with(Fair.PERIOD, period)
        .with(Fair.BURST, burst ? quota.dividedBy(2) : Duration.ZERO)
        .with(Fair.IDLE, idle)
        .with(
            Fair.CPUS, random.nextBoolean() ? "0" : groups.second() ? Fair.Cpus.INHERITED : "0-1");
  }

  @Test
  void setsEverySettingFromEveryOther() {
    Random random = new Random(7);
    for (int i = 0; i < 60; i++) {
      SchedulerParameters wanted = random(random);
      Applied applied = host.apply(web(), wanted);
      assertThat(applied.matches()).as("%d: asked %s, read %s", i, wanted, applied.read()).isTrue();
    }
  }

  @Test
  void nothingKeepsWhatIsInTheFilesOfAGroup() {
    Hypervisor kept = host.durable();
    Domain web =
        kept.domains().stream().filter(one -> one.name().equals(WEB)).findFirst().orElseThrow();
    assertThatThrownBy(() -> kept.apply(web, DEFAULTS.with(Fair.SHARES, 300)))
        .hasMessage(
            "Settings of %s cannot be kept: nothing keeps the settings of a group that no platform manages."
                .formatted(WEB));
    assertThat(settings().get(Fair.SHARES)).isNotEqualTo(300);
  }

  @Test
  void undoesEverySettingWhateverTheValuesAreByThen() {
    Random random = new Random(11);
    for (int i = 0; i < 20; i++) {
      host.apply(web(), random(random));
      String found = groups.settings(WEB);
      Undo undo = host.undo(web(), Undo.Change.ofAll(settings())).orElseThrow();
      for (int j = 0; j < 2; j++) {
        host.apply(web(), random(random));
        assertThat(shows(undo.present())).isTrue();
        undo.parts().forEach(part -> part.commands().forEach(this::must));
        assertThat(groups.settings(WEB)).as("%d: %s", i, undo).isEqualTo(found);
        undo.parts().forEach(part -> assertThat(shows(part.restored())).as("%s", part).isTrue());
      }
    }
  }

  private void must(Command command) {
    CommandResult result = shell.run(command);
    assertThat(result.succeeded()).as("%s: %s", command.quoted(), result.standardError()).isTrue();
  }

  private boolean shows(Undo.Reading reading) {
    CommandResult result = shell.run(reading.command());
    return result.succeeded()
        && reading.lines().stream()
            .allMatch(
                line ->
                    result
                        .standardOutput()
                        .lines()
                        .anyMatch(printed -> Pattern.compile(line).matcher(printed).find()));
  }

  /** The kernel keeps a burst without a quota; a host may have one, and it is given back. */
  @Test
  void restoresSettingsThatNoProfileMayHave() {
    groups.write(WEB, groups.second() ? "cpu.max.burst" : "cpu.cfs_burst_us", "5000");
    String found = groups.settings(WEB);
    SchedulerParameters read = settings();
    assertThat(host.refusal(WEB, read))
        .contains("burst 5 ms of slicewise-web is above its quota none");
    host.apply(web(), DEFAULTS.with(Fair.QUOTA, Duration.ofMillis(2)));
    assertThat(host.apply(web(), read).matches()).isTrue();
    assertThat(groups.settings(WEB)).isEqualTo(found);
  }

  /** The switch must tell what someone else set from what the run set. */
  @Test
  void anUndoKnowsValuesOfOthers() {
    SchedulerParameters found = settings();
    SchedulerParameters ours = DEFAULTS.with(Fair.SHARES, 300);
    Undo.Change change = new Undo.Change(found, ours.changedFrom(found), List.of(ours));
    Undo.Part weight = host.undo(web(), change).orElseThrow().parts().get(0);
    assertThat(shows(weight.known())).isTrue();
    host.apply(web(), ours);
    assertThat(shows(weight.known())).isTrue();
    groups.write(WEB, groups.second() ? "cpu.weight" : "cpu.shares", "444");
    assertThat(shows(weight.known())).isFalse();
  }

  @Test
  void anUndoKnowsPcpusOfOthers() {
    host.apply(web(), DEFAULTS.with(Fair.CPUS, groups.second() ? Fair.Cpus.INHERITED : "0-1"));
    SchedulerParameters found = settings();
    SchedulerParameters ours = DEFAULTS.with(Fair.CPUS, "0");
    Undo.Change change = new Undo.Change(found, Set.of(Fair.CPUS.key()), List.of(ours));
    Undo.Part cpus = host.undo(web(), change).orElseThrow().parts().get(0);
    assertThat(shows(cpus.restored())).isTrue();
    host.apply(web(), ours);
    assertThat(shows(cpus.known())).isTrue();
    assertThat(shows(cpus.restored())).isFalse();
    host.apply(web(), DEFAULTS.with(Fair.CPUS, "1"));
    assertThat(shows(cpus.known())).isFalse();
    assertThat(shows(cpus.restored())).isFalse();
  }

  @Test
  void noticesAGroupThatWasMadeAnewAndNeverWritesIntoIt() {
    Domain before = web();
    GuestId known = host.guests().get(WEB);
    Undo undo = host.undo(before, Undo.Change.ofAll(settings())).orElseThrow();
    List<Command> late = host.commandsFor(before, settings(), DEFAULTS.with(Fair.SHARES, 300));
    groups.remove(WEB);
    groups.make(WEB);
    String fresh = groups.settings(WEB);
    assertThat(host.guests().get(WEB).isGuest(known)).isFalse();
    assertThat(shows(undo.present())).isFalse();
    late.forEach(command -> assertThat(shell.run(command).succeeded()).isFalse());
    undo.parts().stream()
        .flatMap(part -> part.commands().stream())
        .forEach(command -> assertThat(shell.run(command).succeeded()).isFalse());
    assertThatThrownBy(() -> host.apply(before, DEFAULTS.with(Fair.SHARES, 300)))
        .isInstanceOf(HypervisorException.class)
        .hasMessageContaining("slicewise-web was made anew while it was being set");
    assertThat(groups.settings(WEB)).isEqualTo(fresh);
  }

  @Test
  void saysThatAGroupVanished() {
    Domain before = web();
    groups.remove(WEB);
    assertThatThrownBy(() -> host.apply(before, DEFAULTS.with(Fair.SHARES, 300)))
        .hasMessage("slicewise-web vanished: its control group no longer exists.");
  }

  /** The kernel of version 1 takes the nearest weight instead, without a word. */
  @Test
  void refusesWhatTheKernelWouldChangeInSilence() {
    assertThat(host.refusal(WEB, DEFAULTS.with(Fair.SHARES, 1)).isPresent())
        .isEqualTo(!groups.second());
    assertThat(host.refusal(WEB, DEFAULTS.with(Fair.SHARES, 262_144)).isPresent())
        .isEqualTo(groups.second());
    assertThat(host.refusal(WEB, DEFAULTS.with(Fair.BURST, Duration.ofMillis(1))))
        .contains("burst 1 ms of slicewise-web is above its quota none");
    assertThat(host.refusal(WEB, DEFAULTS.with(Fair.IDLE, true).with(Fair.SHARES, 300)))
        .contains("shares 300 of slicewise-web has no meaning with idle, whose groups have none");
  }

  @Test
  void refusesAQuotaAboveThatOfTheGroupAbove() {
    if (groups.second()) {
      groups.write("..", "cpu.max", "50000 100000");
    } else {
      groups.write("..", "cpu.cfs_quota_us", "50000");
    }
    SchedulerParameters below = DEFAULTS.with(Fair.QUOTA, Duration.ofMillis(50));
    SchedulerParameters above = DEFAULTS.with(Fair.QUOTA, Duration.ofMillis(60));
    assertThat(host.apply(web(), below).matches()).isTrue();
    host.settings();
    assertThat(host.refusal(WEB, above).orElse(""))
        .startsWith("quota 60 ms of 100 ms of slicewise-web is above that of the group above")
        .endsWith("which would count instead");
    if (!groups.second()) {
      assertThatThrownBy(() -> host.apply(web(), above)).hasMessageContaining("is above that of");
    }
  }

  @Test
  void refusesAValueThatSomeoneElseSetAMomentAgo() {
    SchedulerParameters expected = settings();
    groups.write(WEB, groups.second() ? "cpu.weight" : "cpu.shares", "444");
    assertThatThrownBy(
            () ->
                host.apply(
                    List.of(new Setting(web(), DEFAULTS.with(Fair.SHARES, 300))),
                    Map.of(WEB, expected)))
        .hasMessageContaining("set by someone else a moment ago");
    assertThat(groups.settings(WEB)).startsWith("444 ");
  }

  /** A switch of several guests changes none of them if one is not as it was read. */
  @Test
  void changesNoGroupIfOneIsNotAsItWasRead() {
    List<Setting> wanted =
        host.settings().stream()
            .filter(one -> one.target().name().startsWith("slicewise-"))
            .map(one -> new Setting(one.target(), one.parameters().with(Fair.SHARES, 300)))
            .toList();
    Map<String, SchedulerParameters> expected = Setting.byName(host.settings());
    String batch = groups.settings("slicewise-batch");
    groups.write(WEB, groups.second() ? "cpu.weight" : "cpu.shares", "444");
    assertThatThrownBy(() -> host.apply(wanted, expected))
        .hasMessageContaining("set by someone else a moment ago");
    assertThat(groups.settings("slicewise-batch")).isEqualTo(batch);
    assertThat(host.apply(wanted)).hasSize(2).allMatch(Applied::matches);
    assertThat(groups.settings("slicewise-batch")).startsWith("300 ");
  }

  @Test
  void noticesValuesThatAreChangedBackAndProcessesThatAreMoved() throws InterruptedException {
    GroupChanges changes = GroupChanges.of(shell, host.domains());
    String weight = groups.second() ? "cpu.weight" : "cpu.shares";
    String found = groups.read(WEB, weight);
    String process = groups.read("slicewise-batch", "cgroup.procs");
    String printed;
    try (RunningCommand looking =
        shell.start(
            Command.reading(
                Stream.concat(Stream.of("timeout", "5"), changes.words().stream())
                    .toArray(String[]::new)))) {
      Thread.sleep(1_500);
      groups.write(WEB, weight, "444");
      groups.write(WEB, "cgroup.procs", process);
      Thread.sleep(1_500);
      groups.write(WEB, weight, found);
      printed = looking.await(Duration.ofSeconds(10)).orElseThrow().standardOutput();
    }
    groups.write("slicewise-batch", "cgroup.procs", process);
    assertThat(changes.changes(printed, host.domains()))
        .containsOnlyKeys(WEB, "slicewise-batch")
        .containsEntry(
            WEB,
            "%s was %s, then 444, then %s, a process was moved into it"
                .formatted(weight, found, found))
        .containsEntry("slicewise-batch", "a process was moved to " + groups.path(WEB));
  }

  @Test
  void namesGroupsWithoutProcesses() {
    String process = groups.read("slicewise-batch", "cgroup.procs");
    host.domains();
    // Groups of other programs may be without any.
    assertThat(host.remarks())
        .extracting(Hypervisor.Remark::sentence)
        .noneMatch(sentence -> sentence.startsWith("none in slicewise-batch"));
    groups.write(WEB, "cgroup.procs", process);
    host.domains();
    assertThat(host.remarks())
        .extracting(Hypervisor.Remark::sentence)
        .contains(
            "none in slicewise-batch: no setting there changes anything, and no guard can fail");
    groups.write("slicewise-batch", "cgroup.procs", process);
  }

  @Test
  void saysThatAQuotaAboveGuestsHoldsBackAllOfThem() {
    String top = groups.path(WEB).replace("/" + WEB, "");
    groups.write("..", groups.second() ? "cpu.max" : "cpu.cfs_quota_us", "50000");
    host.domains();
    assertThat(host.remarks())
        .extracting(Hypervisor.Remark::sentence)
        .contains(
            "quota 50 ms of 100 ms of %s holds back all guests in it together, and is in none of"
                    .formatted(top)
                + " their accounts");
    assertThat(host.whyMissing(top.substring(1)))
        .isEqualTo(
            "is a group above guests, whose settings count for all of them together; guests in it"
                + " are slicewise-batch, slicewise-web");
  }

  /**
   * One pCPU for both groups and two programs that compute without end: each waits for the other.
   */
  @Test
  void namesWhoRanWhileAGroupWaited(@TempDir Path logs) throws Exception {
    List<Process> burners = new ArrayList<>();
    try {
      for (String name : List.of(WEB, "slicewise-batch")) {
        Process burner = new ProcessBuilder("taskset", "-c", "0", "sh", "-c", BURN).start();
        burners.add(burner);
        groups.take(name, burner.pid());
      }
      List<Domain> domains = host.domains();
      Monitor monitor = Monitors.probe(shell, host.describe(), false).ready(domains);
      Instant begin = Instant.now();
      try (Monitor.Watch watch = monitor.start(Duration.ofSeconds(2), domains, logs)) {
        shell.run(Command.reading("sleep", "2"));
        watch.end();
        DomainShares seen =
            watch.result(new Window(begin, Instant.now())).shares().stream()
                .filter(shares -> shares.domain().equals(WEB))
                .findFirst()
                .orElseThrow();
        double batch =
            seen.takers().stream()
                .filter(taker -> taker.name().equals("slicewise-batch"))
                .mapToDouble(Reading::value)
                .findFirst()
                .orElse(0);
        double outside = seen.outsideRun().orElseThrow();
        assertThat(seen.run()).as("%s", seen).isPositive();
        assertThat(batch / (batch + seen.run())).as("%s", seen).isBetween(0.3, 0.7);
        double others = seen.takers().stream().mapToDouble(Reading::value).sum();
        assertThat(seen.run() + others + outside).as("%s", seen).isBetween(0.1, 1.05);
      }
    } finally {
      for (Process burner : burners) {
        burner.destroyForcibly().waitFor();
      }
    }
  }
}
