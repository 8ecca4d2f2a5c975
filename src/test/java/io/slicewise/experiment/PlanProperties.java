package io.slicewise.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The order of trials: complete blocks, random by the seed alone, or the study's loops. */
class PlanProperties {
  @Property(tries = 100)
  void everyCellStandsInEveryBlockOnce(@ForAll("experiments") Experiment experiment) {
    List<Trial> trials = Plan.of(experiment);
    int cells = experiment.cells();
    assertThat(trials).hasSize(cells * experiment.repetitions());
    assertThat(trials).extracting(Trial::slug).doesNotHaveDuplicates();
    assertThat(trials.stream().map(Trial::number).toList())
        .isEqualTo(IntStream.rangeClosed(1, trials.size()).boxed().toList());
    for (int block = 1; block <= experiment.repetitions(); block++) {
      int wanted = block;
      Set<String> seen =
          trials.stream()
              .filter(trial -> trial.block() == wanted)
              .map(trial -> trial.profile() + "/" + trial.load())
              .collect(Collectors.toSet());
      assertThat(seen).hasSize(cells);
      assertThat(seen).anyMatch(cell -> cell.startsWith(experiment.baseline() + "/"));
    }
  }

  @Property(tries = 100)
  void blocksFollowOneAnother(@ForAll("experiments") Experiment experiment) {
    List<Trial> trials = Plan.of(experiment);
    if (experiment.order().equals(Order.BLOCKS)) {
      assertThat(trials).isSortedAccordingTo((a, b) -> Integer.compare(a.block(), b.block()));
    } else {
      Set<String> done = new HashSet<>();
      String current = "";
      for (Trial trial : trials) {
        String cell = trial.profile() + "/" + trial.load();
        if (!cell.equals(current)) {
          assertThat(done.add(cell)).isTrue();
          current = cell;
        }
      }
    }
  }

  @Provide
  Arbitrary<Experiment> experiments() {
    return Experiments.any();
  }
}
