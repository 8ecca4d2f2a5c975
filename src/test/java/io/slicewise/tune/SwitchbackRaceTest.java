package io.slicewise.tune;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.tune.Evidence.Block;
import io.slicewise.tune.Race.Answer;
import io.slicewise.tune.Race.Departure;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Holds the rules of a race inside switchback sessions. */
class SwitchbackRaceTest {
  private static final double[] MEANS = {100, 130, 126, 80};

  @Test
  void dropsWhatBlockAndSessionHaveInCommon() {
    SwitchbackRace race = new SwitchbackRace(Rules.DEFAULT, 4, 0);
    run(race, 5, 6, 0.01);
    assertThat(race.evidence().logRatio(1, 0)).isCloseTo(Math.log(1.3), within(0.01));
    assertThat(race.evidence().logRatio(0, 1)).isEqualTo(-race.evidence().logRatio(1, 0));
  }

  @Test
  void keepsTheBaselineInEveryBlockAndLetsTheWorstLeave() {
    SwitchbackRace race = new SwitchbackRace(Rules.DEFAULT, 4, 0);
    run(race, 2, 6, 0.02);
    assertThat(race.survivors()).contains(0, 1, 2).doesNotContain(3);
    assertThat(race.departures()).extracting(Departure::candidate).contains(3);
    assertThat(race.departures().get(0).reason()).isEqualTo("P(within 5 % of the best) < 0.001");
  }

  @Test
  void doesNotStopBeforeItsThirdSession() {
    SwitchbackRace race = new SwitchbackRace(Rules.DEFAULT, 4, 0);
    run(race, 2, 20, 0.01);
    assertThat(race.decided()).isFalse();
    assertThat(race.next()).isNotEmpty();
    run(race, 3, 20, 0.01);
    assertThat(race.decided()).isTrue();
    assertThat(race.answer().kind()).isEqualTo(Answer.Kind.PROFILE);
    assertThat(race.answer().choice()).isEqualTo(1);
  }

  @Test
  void isUndecidedWithoutAResult() {
    SwitchbackRace race = new SwitchbackRace(Rules.DEFAULT, 2, 0);
    for (int session = 0; session < 3; session++) {
      race.add(new Block(session, List.of(), List.of()));
    }
    assertThat(race.decided()).isFalse();
    assertThat(race.answer().kind()).isEqualTo(Answer.Kind.KEEP);
  }

  @Test
  void whatLeftForACandidateRacesAgainOnceThatBreaksAGuard() {
    SwitchbackRace race = new SwitchbackRace(Rules.DEFAULT, 4, 0);
    for (int block = 0; block < 6; block++) {
      double noise = 0.1 * (block % 2);
      race.add(
          new Block(
              block / 3,
              List.of(0, 1, 2, 3),
              List.of(100 + noise, 200 - noise, 150 + noise, 80 - noise)));
    }
    assertThat(race.survivors()).containsExactly(0, 1);
    race.exclude(1, "breaks a guard");
    assertThat(race.survivors()).containsExactly(0, 2);
    assertThat(race.next()).containsExactly(0, 2);
    assertThat(race.departures()).extracting(Departure::candidate).containsExactly(3, 1);
    assertThat(race.answer().choice()).isEqualTo(2);
  }

  @Test
  void isLessSureWhereSessionsDisagree() {
    SwitchbackRace alike = new SwitchbackRace(Rules.DEFAULT, 4);
    SwitchbackRace different = new SwitchbackRace(Rules.DEFAULT, 4);
    for (int session = 0; session < 4; session++) {
      double shift = session % 2 == 0 ? 1.2 : 1 / 1.2;
      for (int block = 0; block < 5; block++) {
        alike.add(new Block(session, List.of(0, 1), List.of(100 + block % 2.0, 120.0)));
        different.add(new Block(session, List.of(0, 1), List.of(100 + block % 2.0, 120 * shift)));
      }
    }
    assertThat(different.evidence().standardError(1, 0))
        .isGreaterThan(5 * alike.evidence().standardError(1, 0));
  }

  @Test
  void comparesANewcomerOnTheBlocksItShares() {
    SwitchbackRace race = new SwitchbackRace(Rules.DEFAULT, 2, 0);
    race.add(new Block(0, List.of(0, 1), List.of(100.0, 110.0)));
    int newcomer = race.enter();
    race.add(new Block(0, List.of(0, 1, newcomer), List.of(200.0, 220.0, 260.0)));
    assertThat(race.evidence().logRatio(newcomer, 0)).isCloseTo(Math.log(1.3), within(1e-9));
    assertThat(race.leader()).isEqualTo(newcomer);
  }

  private static void run(SwitchbackRace race, int sessions, int blocks, double scatter) {
    SplittableRandom random = new SplittableRandom(5);
    for (int session = 0; session < sessions; session++) {
      double level = Math.exp(0.3 * random.nextGaussian());
      for (int block = 0; block < blocks; block++) {
        double common = level * Math.exp(0.2 * random.nextGaussian());
        List<Integer> members = race.survivors();
        race.add(
            new Block(
                session,
                members,
                members.stream()
                    .map(i -> MEANS[i] * common * Math.exp(scatter * random.nextGaussian()))
                    .toList()));
      }
    }
  }

  private static org.assertj.core.data.Offset<Double> within(double offset) {
    return org.assertj.core.api.Assertions.within(offset);
  }
}
