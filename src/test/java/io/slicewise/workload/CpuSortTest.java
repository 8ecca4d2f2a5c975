package io.slicewise.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.MeasuresInRealTime;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Options;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabClient;
import io.slicewise.load.jtl.SampleSummary;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.Conversation;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RunningCommand;
import io.slicewise.ssh.Shells;
import io.slicewise.workload.target.BubbleSort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Protects that sorts run in the guest and nowhere else, that the guest's own CPU times reach the
 * results, that nothing goes on computing when a load has ended, and that a guest which cannot sort
 * is told in one sentence. One test after the other, since they share the guest's one vCPU.
 */
@MeasuresInRealTime
@Execution(ExecutionMode.SAME_THREAD)
class CpuSortTest {
  /** 499,500 comparisons of 125 ns. */
  private static final double SECONDS_OF_1000 = 0.0624375;

  private static Lab lab;

  @TempDir Path directory;

  @BeforeAll
  static void start() {
    lab = LabLoad.lab("cpu");
  }

  @AfterAll
  static void stop() {
    lab.close();
  }

  private static Workload sorting(Integer... sizes) {
    return LabLoad.workload(lab, "cpu", Map.of("sizes", List.of(sizes)));
  }

  /** Of the guest's vCPU, as the hypervisor counts it. */
  private static double spent() {
    try (RemoteShell dom0 = LabClient.open(lab)) {
      String listing = dom0.run(Command.reading("xl", "list", "Sort_Server")).standardOutput();
      String[] words = listing.strip().split("\\s+", -1);
      return Double.parseDouble(words[words.length - 1]);
    }
  }

  @Test
  void theGuestComputesEverySortAndTellsItsCpuTime() throws IOException {
    Workload workload = sorting(1000, 200);
    for (int users : new int[] {1, 3}) {
      workload.setUp();
      double before = spent();
      LabLoad load = LabLoad.run(workload, users, 12, directory);
      workload.tearDown();
      Map<String, SampleSummary> byLabel = load.reduction().byLabel();
      assertThat(byLabel).containsOnlyKeys("sort 1000", "sort 200");
      assertThat(load.reduction().total().failed()).isZero();
      long sorts = byLabel.get("sort 1000").samples();
      assertThat(sorts).isGreaterThanOrEqualTo(6);
      // The listing shows tenths of a second; each user may have begun one sort more.
      assertThat(spent() - before)
          .isBetween(sorts * SECONDS_OF_1000 - 0.1, (sorts + 2L * users) * 0.07 + 0.1);
      assertThat(load.measure("user-1000")).as("in ticks of 10 ms").isCloseTo(0.06, within(1e-9));
      assertThat(load.measure("system-1000")).isZero();
      // One vCPU: three sorts at once take three times as long.
      assertThat(load.measure("stretch-1000")).isGreaterThan(users == 1 ? 1 : 1.9);
    }
  }

  @Test
  void aSortThatOutlivesItsLoadIsEndedAndNothingElse() {
    Workload workload = sorting(2000);
    try (RemoteShell guest = guest()) {
      RunningCommand longOne =
          guest.start(
              new Command(
                  new BubbleSort(20_000, 1).words(),
                  Duration.ofMinutes(5),
                  Command.Effect.CHANGES));
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .pollInSameThread()
          .until(() -> listed(guest).contains("n=20000") || listed(guest).contains(" 20000 "));
      workload.tearDown();
      assertThat(longOne.await(Duration.ofSeconds(60)))
          .hasValueSatisfying(result -> assertThat(result.exitStatus()).isEqualTo(128 + 15));
      assertThat(listed(guest)).doesNotContain(BubbleSort.MARK);
    }
  }

  private static String listed(RemoteShell guest) {
    return guest.run(Command.reading("ps", "-A", "-o", "pid=", "-o", "args=")).standardOutput();
  }

  private static RemoteShell guest() {
    return Shells.open(MachineOptions.guest(new Options(lab.workloadOptions())).orElseThrow());
  }

  @Test
  void endsLeftSortsOnAnOrdinaryMachineToo() {
    try (RemoteShell here = Shells.local()) {
      RunningCommand longOne =
          here.start(
              new Command(
                  new BubbleSort(100_000, 1).words(),
                  Duration.ofMinutes(5),
                  Command.Effect.CHANGES));
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .pollInSameThread()
          .until(() -> listed(here).contains("n=100000"));
      new SortingGuest(here).endLeftOnes();
      assertThat(longOne.await(Duration.ofSeconds(60))).isPresent();
      assertThat(listed(here)).doesNotContain("n=100000");
    }
  }

  @Test
  void saysInOneSentenceWhyAGuestDoesNotLetPeopleIn() throws IOException {
    assertThat(sorting(2000).complaint()).isEmpty();
    Workload elsewhere = LabLoad.workload(lab, "cpu", Map.of("guest-port", 1));
    assertThat(elsewhere.complaint())
        .hasValueSatisfying(text -> assertThat(text).contains("127.0.0.1:1").hasLineCount(1));
    Path empty = Files.createFile(directory.resolve("empty"));
    Workload refused =
        LabLoad.workload(lab, "cpu", Map.of("guest-identity", lab.privateKey().toString()));
    assertThat(refused.complaint())
        .hasValueSatisfying(text -> assertThat(text).contains("root@127.0.0.1"));
    Workload unknown = LabLoad.workload(lab, "cpu", Map.of("guest-known-hosts", empty.toString()));
    assertThat(unknown.complaint())
        .hasValueSatisfying(text -> assertThat(text).contains("host key"));
    assertThatThrownBy(unknown::setUp)
        .isInstanceOfSatisfying(
            SlicewiseException.class,
            fault -> assertThat(fault.errorKind()).isEqualTo(ErrorKind.NOT_READY));
  }

  @Test
  void saysThatAwkIsMissingOrComputesWrongly() {
    BubbleSort sort = new BubbleSort(10, 1);
    try (RemoteShell here = Shells.local()) {
      SortingGuest bare = new SortingGuest(new Altered(here, "env PATH=/nowhere /bin/sh"));
      assertThatThrownBy(() -> bare.sort(sort, Duration.ofSeconds(20)))
          .hasMessageContaining("has no awk");
      SortingGuest chatty = new SortingGuest(new Altered(here, "echo welcome"));
      assertThatThrownBy(() -> chatty.sort(sort, Duration.ofSeconds(20)))
          .hasMessageContaining("answered 'welcome -c")
          .hasMessageContaining("to a sort");
      SortingGuest wrong =
          new SortingGuest(new Altered(here, "printf 10.1.2.3\\n0m0s.0m0s\\n0m0s\\t0m0s\\n"));
      assertThatThrownBy(() -> wrong.sort(sort, Duration.ofSeconds(20)))
          .hasMessageContaining("sorted wrongly: it printed '10.1.2.3', not '10 ");
    }
  }

  /** This machine with another program in the place of {@code env LC_ALL=C sh}. */
  private record Altered(RemoteShell here, String program) implements RemoteShell {
    @Override
    public CommandResult run(Command command) {
      return here.run(altered(command));
    }

    @Override
    public Conversation converse(Command command) {
      return here.converse(altered(command));
    }

    @Override
    public RunningCommand start(Command command) {
      return here.start(altered(command));
    }

    private Command altered(Command command) {
      List<String> words = new ArrayList<>(List.of(program.split(" ", -1)));
      words.addAll(command.words().subList(3, command.words().size()));
      return new Command(words, command.timeout(), command.effect());
    }

    @Override
    public void fetch(String remoteFile, Path localFile) {
      here.fetch(remoteFile, localFile);
    }

    @Override
    public String address() {
      return here.address();
    }

    @Override
    public void close() {
      here.close();
    }
  }
}
