package io.slicewise.tune;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.tune.Evidence.Block;
import io.slicewise.tune.Race.Answer;
import io.slicewise.tune.Race.Departure;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Holds the rules of a race in independent trials. */
class TrialRaceTest {
  private static final double[] MEANS = {100, 96, 70, 60, 50};

  @Test
  void sameSeedAndSameResultsGiveTheSamePath() {
    assertThat(path(new TrialRace(Rules.DEFAULT, 5, 7))).isEqualTo(path(race(7)));
  }

  @Test
  void measuresEveryCandidateBeforeAnyTwice() {
    assertThat(path(race(3)).subList(0, 5)).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
  }

  @Test
  void spendsItsTrialsOnWhatMayBeTheBest() {
    TrialRace race = race(3);
    path(race);
    assertThat(race.evidence().observations(0) + race.evidence().observations(1))
        .isGreaterThan(race.evidence().observations(3) + race.evidence().observations(4));
  }

  @Test
  void stopsOnlyAfterThreeTrialsPerCandidateAndWhenSure() {
    TrialRace race = race(3);
    assertThat(path(race).size()).isGreaterThanOrEqualTo(15);
    assertThat(race.probability()).isGreaterThanOrEqualTo(0.99);
    assertThat(race.next()).isEmpty();
    assertThat(race.leader()).isIn(0, 1);
  }

  @Test
  void whatLeftForACandidateRacesAgainOnceThatBreaksAGuard() {
    TrialRace race = new TrialRace(Rules.DEFAULT, 3, 0, 7);
    for (int i = 0; i < 12; i++) {
      race.add(i % 3, List.of(100.0, 200.0, 150.0).get(i % 3) + i % 2);
    }
    assertThat(race.survivors()).containsExactly(0, 1);
    race.exclude(1, "breaks a guard");
    assertThat(race.survivors()).containsExactly(0, 2);
    assertThat(race.answer().choice()).isEqualTo(2);
  }

  @Test
  void findsTheLowestWhereLowIsGood() {
    TrialRace race = new TrialRace(Rules.DEFAULT.lowest(), 5, 3);
    path(race);
    assertThat(race.leader()).isEqualTo(4);
    assertThat(race.answer().kind()).isEqualTo(Answer.Kind.PROFILE);
  }

  @Test
  void keepsWhatIsGoodEnough() {
    TrialRace race = new TrialRace(Rules.DEFAULT, 5, 0, 3);
    path(race);
    assertThat(race.answer().kind()).isEqualTo(Answer.Kind.KEEP);
  }

  @Test
  void answersWithASetWhereNothingIsSure() {
    TrialRace race = race(3);
    for (int i = 0; i < 5; i++) {
      race.add(new Block(0, List.of(i), List.of(MEANS[i])));
    }
    assertThat(race.answer().kind()).isEqualTo(Answer.Kind.SET);
    assertThat(race.answer().set()).containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  void excludesWhoBreaksAGuardAndSaysWhy() {
    TrialRace race = race(3);
    race.exclude(0, "errors 4 % are above 0.5 %");
    path(race);
    assertThat(race.leader()).isEqualTo(1);
    assertThat(race.departures().get(0))
        .isEqualTo(new Departure(0, 0, "errors 4 % are above 0.5 %"));
  }

  @Test
  void measuresANewcomerNext() {
    TrialRace race = race(3);
    for (int i = 0; i < 5; i++) {
      race.add(i, MEANS[i]);
    }
    int newcomer = race.enter();
    assertThat(race.next()).containsExactly(newcomer);
  }

  private static TrialRace race(long seed) {
    return new TrialRace(Rules.DEFAULT, 5, seed);
  }

  private static List<Integer> path(TrialRace race) {
    SplittableRandom random = new SplittableRandom(11);
    List<Integer> path = new ArrayList<>();
    for (List<Integer> next = race.next(); !next.isEmpty(); next = race.next()) {
      int candidate = next.get(0);
      path.add(candidate);
      race.add(new Block(0, next, List.of(MEANS[candidate] * (1 + 0.05 * random.nextGaussian()))));
    }
    return path;
  }
}
