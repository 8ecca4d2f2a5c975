package io.slicewise.experiment;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Draws the pairs of a study one by one: whose turn it is, and which window is the candidate's.
 * Candidates take turns in rounds, in random order.
 */
public final class PairPlan {
  private final Experiment experiment;
  private final PairsDesign design;

  /**
   * @throws java.util.NoSuchElementException if the experiment's design is not of pairs
   */
  public PairPlan(Experiment experiment) {
    this.experiment = experiment;
    this.design = experiment.pairs().orElseThrow();
  }

  /** Returns the names of the candidates: of a study that only observes, the baseline's twin. */
  public static List<String> candidates(Experiment experiment) {
    boolean observe = experiment.pairs().orElseThrow().observe();
    return observe
        ? experiment.controls()
        : experiment.profiles().stream()
            .map(profile -> profile.name())
            .filter(name -> !name.equals(experiment.baseline()))
            .filter(name -> !experiment.controls().contains(name))
            .toList();
  }

  /**
   * Returns the windows of the next pair.
   *
   * @param earlier windows that were planned, of this run
   * @param in candidates that are still in the study, at least one
   * @param number of the first window
   */
  public List<Trial> next(List<Trial> earlier, List<String> in, int number, SessionKey session) {
    int pair = earlier.stream().mapToInt(Trial::block).max().orElse(0) + 1;
    Map<String, Integer> windows = new HashMap<>();
    earlier.forEach(trial -> windows.merge(trial.profile(), trial.repetition(), Integer::max));
    int fewest = in.stream().mapToInt(name -> windows.getOrDefault(name, 0)).min().orElseThrow();
    List<String> due = in.stream().filter(name -> windows.getOrDefault(name, 0) == fewest).toList();
    String candidate = due.get(PairsDesign.turn(experiment.seed(), pair, due.size()));
    List<String> order =
        PairsDesign.candidateFirst(experiment.seed(), pair)
            ? List.of(candidate, experiment.baseline())
            : List.of(experiment.baseline(), candidate);
    int block =
        earlier.stream()
                .filter(trial -> trial.session().filter(session::equals).isPresent())
                .mapToInt(trial -> trial.place().orElseThrow().block())
                .max()
                .orElse(0)
            + 1;
    List<Trial> next = new ArrayList<>();
    for (String profile : order) {
      next.add(
          new Trial(
                  number + next.size(),
                  pair,
                  profile,
                  session.load(),
                  windows.merge(profile, 1, Integer::sum))
              .at(new WindowPlace(session.number(), block, next.size() + 1)));
    }
    return List.copyOf(next);
  }

  /** Returns all pairs of the study, as long as no candidate leaves it. */
  List<Trial> all() {
    SessionKey session = new SessionKey(experiment.loads().get(0), 1);
    List<String> candidates = candidates(experiment);
    List<Trial> all = new ArrayList<>();
    for (int pair = 0; pair < design.most().pairs() * candidates.size(); pair++) {
      all.addAll(next(all, candidates, all.size() + 1, session));
    }
    return List.copyOf(all);
  }
}
