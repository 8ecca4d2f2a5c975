package io.slicewise.evidence.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.evidence.study.InterferenceRow.Blame;
import io.slicewise.evidence.study.InterferenceRow.InterferenceMeasure;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Load;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.MachineCounters.Tier;
import io.slicewise.run.result.TrialResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Protects the interference study of a run: a planted loss, planted shares, and verdicts that never
 * blame neighbours for the guest's own load.
 */
class NeighbourStudyTest {
  private static final OptionalInt DOMID = OptionalInt.of(3);
  private static final Map<String, Double> CPU =
      Map.of("user", 10.0, "system", 5.0, "idle", 12.0, "iowait", 2.4, "steal", 0.6);

  /** A truth: reads of the guest, their wait, and reads of the other guests. */
  private record Truth(double reads, double millis, double others) {}

  private static TrialResult trial(int block, int neighbours, Truth truth, Random random) {
    return trial(block, Load.beside(neighbours, 4), truth, random);
  }

  private static TrialResult trial(int block, Load load, Truth truth, Random random) {
    double factor = Math.exp(0.02 * random.nextGaussian());
    double wait = truth.millis() * factor;
    double reads = truth.reads() / factor;
    Map<String, MachineCounters> machines = new TreeMap<>();
    machines.put(
        "db",
        MadeTrials.machine(
            Tier.GUEST,
            CPU,
            Map.of(),
            Map.of(
                "xvda", MadeTrials.disk(reads, wait, 16),
                "xvda1", MadeTrials.disk(reads, wait, 16)),
            Map.of()));
    double others = truth.others();
    machines.put(
        "Domain-0",
        MadeTrials.machine(
            Tier.DOM0,
            CPU,
            Map.of(),
            Map.of(
                "sda", MadeTrials.disk(reads + others, wait * 0.95, 16),
                "dm-0", MadeTrials.disk(reads + others, wait, 16)),
            Map.of(
                "vbd-3-51712", MadeTrials.disk(reads, wait, 16),
                "other/xvda", MadeTrials.disk(Math.max(1e-9, others), wait, 16),
                "idle/xvda", MadeTrials.disk(1e-9, wait, 16))));
    return MadeTrials.trial(
        block * 10 + load.count(Axis.NEIGHBOURS).orElseThrow(),
        block,
        "w256",
        load,
        reads / 30,
        Map.of(),
        100,
        machines);
  }

  private static NeighbourStudy study(int blocks, Truth... levels) {
    Random random = new Random(2014);
    List<TrialResult> results = new ArrayList<>();
    for (int block = 1; block <= blocks; block++) {
      for (int neighbours = 0; neighbours < levels.length; neighbours++) {
        results.add(trial(block, neighbours, levels[neighbours], random));
      }
    }
    return NeighbourStudy.of(results, "db", DOMID);
  }

  private static double mean(InterferenceRow row, InterferenceMeasure measure) {
    return row.of(measure).mean();
  }

  @Test
  void recoversAPlantedLossAndItsCause() {
    NeighbourStudy study =
        study(
            30, new Truth(12_000, 6, 0), new Truth(8_000, 9, 8_000), new Truth(4_000, 18, 12_000));
    assertThat(study.blocks()).isEqualTo(30);
    InterferenceRow two = study.rows().get(2);
    assertThat(two.name()).isEqualTo("with 2 neighbours");
    assertThat(mean(two, InterferenceMeasure.LOSS)).isCloseTo(66.7, within(1.0));
    assertThat(mean(two, InterferenceMeasure.DROP)).isCloseTo(66.7, within(1.0));
    assertThat(mean(two, InterferenceMeasure.OTHERS)).isCloseTo(75, within(1.0));
    assertThat(mean(two, InterferenceMeasure.OWN)).isCloseTo(0, within(1e-6));
    assertThat(mean(two, InterferenceMeasure.RPS)).isCloseTo(75, within(1.0));
    assertThat(mean(two, InterferenceMeasure.STEAL)).isCloseTo(2, within(1e-9));
    assertThat(mean(two, InterferenceMeasure.OVERHEAD)).isCloseTo(5.26, within(0.01));
    assertThat(two.verdict()).isEqualTo(Blame.EXTERNAL);
    assertThat(two.boxes()).containsKey(InterferenceMeasure.DROP);
    assertThat(study.rows().get(0).alone()).isTrue();
    assertThat(study.rows().get(0).verdict()).isEqualTo(Blame.NONE);
    InterferenceFit fit = study.fits().get(0);
    assertThat(fit.measure()).isEqualTo(InterferenceMeasure.LOSS);
    assertThat(fit.slope().mean()).isCloseTo(1, within(0.05));
    assertThat(fit.pooled()).isGreaterThan(0.95);
    assertThat(study.notes()).isEmpty();
  }

  @Test
  void namesTheNeighbourThatMovesTheBytesAndNoOther() {
    NeighbourStudy study = study(10, new Truth(12_000, 6, 0), new Truth(6_000, 12, 6_000));
    assertThat(study.accused(study.rows().get(1)))
        .singleElement()
        .satisfies(
            part -> {
              assertThat(part.domain()).isEqualTo("other");
              assertThat(part.bytes().mean()).isCloseTo(50, within(2.0));
              assertThat(part.requests().mean()).isCloseTo(50, within(2.0));
            });
    assertThat(study.accused(study.rows().get(0))).isEmpty();
    assertThat(study.traffic()).hasSize(6);
  }

  /** The backends of a run have their guests' names. */
  @Test
  void backendsAreRecognizedByTheNameOfTheirGuest() {
    Map<String, MachineCounters> machines =
        Map.of(
            "Domain-0",
            MadeTrials.machine(
                Tier.DOM0,
                CPU,
                Map.of(),
                Map.of("sda", MadeTrials.disk(400, 5, 16)),
                Map.of(
                    "db/xvda", MadeTrials.disk(100, 5, 16),
                    "other/xvda", MadeTrials.disk(300, 5, 16))));
    NeighbourStudy study =
        NeighbourStudy.of(
            List.of(MadeTrials.trial(1, 1, "w256", Load.beside(0, 4), 100, Map.of(), 10, machines)),
            "db",
            DOMID);
    assertThat(mean(study.rows().get(0), InterferenceMeasure.OTHERS)).isCloseTo(75, within(1e-9));
  }

  @Test
  void aNeighbourThatIsBusyAlreadyIsSaid() {
    NeighbourStudy study = study(3, new Truth(12_000, 6, 4_000), new Truth(6_000, 12, 6_000));
    assertThat(study.notes())
        .singleElement()
        .asString()
        .startsWith("other moved 2")
        .contains("% of the bytes without neighbours (w256, 4 users): the guest was not");
  }

  /**
   * More clients of its own: the wait rises as much as beside neighbours, and nobody else reads.
   */
  @Test
  void ownLoadIsNotBlamedOnNeighbours() {
    NeighbourStudy study = study(10, new Truth(12_000, 6, 100), new Truth(9_000, 12, 100));
    assertThat(study.rows().get(1).verdict()).isEqualTo(Blame.OWN_LOAD);
  }

  /** Four lone conditions, each compared with the same truth; at most one in twenty may alarm. */
  @Test
  void loneConditionsAreNeverExternalInMoreThanOneOfTwenty() {
    Truth[] conditions = {
      new Truth(12_000, 6, 50), new Truth(16_000, 8, 50),
      new Truth(25_000, 16, 50), new Truth(4_500, 5, 50)
    };
    int external = 0;
    int rounds = 250;
    Random random = new Random(7);
    for (int round = 0; round < rounds; round++) {
      for (Truth condition : conditions) {
        List<TrialResult> results = new ArrayList<>();
        for (int block = 1; block <= 5; block++) {
          results.add(trial(block, 0, new Truth(12_000, 6, 50), random));
          results.add(trial(block, 1, condition, random));
        }
        NeighbourStudy study = NeighbourStudy.of(results, "db", DOMID);
        external += study.rows().get(1).verdict() == Blame.EXTERNAL ? 1 : 0;
      }
    }
    assertThat(external).isLessThanOrEqualTo(rounds * conditions.length / 20);
  }

  /** As EXT does where dom0 itself reads more: 63 % more wait, and none of it a neighbour's. */
  @Test
  void aRunOfLoneConditionsSaysHowManyOfThemAlarm() {
    Random random = new Random(7);
    List<TrialResult> results = new ArrayList<>();
    for (int block = 1; block <= 6; block++) {
      results.add(trial(block, Load.beside(0, 4), new Truth(12_000, 6, 50), random));
      results.add(trial(block, Load.beside(1, 4), new Truth(6_000, 12, 6_000), random));
      results.add(
          trial(block, Load.beside(0, 16).only("more-clients"), new Truth(25_000, 16, 50), random));
      results.add(
          trial(block, Load.beside(0, 4).only("no-change"), new Truth(12_000, 6, 50), random));
    }
    NeighbourStudy study = NeighbourStudy.of(results, "db", DOMID);
    assertThat(study.rows()).hasSize(2);
    assertThat(study.verified())
        .extracting(InterferenceRow::name)
        .containsExactly("more-clients, alone with 16 users", "no-change, alone with 4 users");
    assertThat(study.verified().get(0).verdict()).isEqualTo(Blame.OWN_LOAD);
    assertThat(mean(study.verified().get(0), InterferenceMeasure.LOSS))
        .isCloseTo(62.5, within(2.0));
    assertThat(study.notes())
        .singleElement()
        .asString()
        .startsWith(
            "2 conditions without neighbours: external by L in none; EXT above 0 in 2 (more-")
        .matches(".*\\(more-clients 0\\.2 %, no-change 0\\.[0-9] %\\)");
  }

  @Test
  void withoutTheGuestsOwnCountersThereIsNoVerdict() {
    List<TrialResult> results = new ArrayList<>();
    for (int block = 1; block <= 3; block++) {
      for (int neighbours = 0; neighbours < 2; neighbours++) {
        results.add(
            MadeTrials.trial(
                10 * block + neighbours,
                block,
                "w256",
                Load.beside(neighbours, 4),
                100.0 - 20 * neighbours,
                Map.of(),
                10,
                Map.of()));
      }
    }
    NeighbourStudy study = NeighbourStudy.of(results, "db", OptionalInt.empty());
    assertThat(study.rows().get(1).verdict()).isEqualTo(Blame.UNKNOWN);
    assertThat(mean(study.rows().get(1), InterferenceMeasure.DROP)).isCloseTo(20, within(1e-9));
    assertThat(study.notes())
        .anyMatch(note -> note.startsWith("db was not read (see logins:)"))
        .anyMatch(note -> note.contains("it is unknown whose I/O it is"));
  }

  @Test
  void aRunWithoutAReferenceIsRefused() {
    List<TrialResult> results = List.of(trial(1, 2, new Truth(12_000, 6, 0), new Random(1)));
    assertThatThrownBy(() -> NeighbourStudy.of(results, "db", DOMID))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("no valid trial without neighbours");
  }
}
