package io.slicewise.evidence.answer;

import io.slicewise.base.units.Plural;
import io.slicewise.experiment.Experiment;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.Measured;
import io.slicewise.run.result.PairedStudy;
import io.slicewise.run.result.TrialResult;
import io.slicewise.workload.Traffic;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What the figures of a candidate's pairs leave out: windows that a guard ended early, and pairs
 * that do not count.
 *
 * @param windows of all pairs
 */
record PairDoubts(PairedStudy study, List<Window> windows) {
  /** The part of pairs without enough requests that is worth advice. */
  private static final double MANY = 0.1;

  /** A window of a pair; {@code few} if it has too few requests for the metric that decides. */
  record Window(int pair, String profile, boolean counts, boolean few) {}

  static PairDoubts of(PairedStudy study, Experiment experiment, List<TrialResult> results) {
    long least =
        experiment.workload().options().get(Traffic.AT_LEAST) instanceof Number fewest
            ? fewest.longValue()
            : 0;
    return new PairDoubts(
        study, results.stream().map(result -> window(study, least, result)).toList());
  }

  private static Window window(PairedStudy study, long least, TrialResult result) {
    boolean known = Measured.of(result).value(study.metric()) > 0;
    long requests = result.load().map(LoadResult::samples).orElse(Long.MAX_VALUE);
    return new Window(
        result.trial().block(),
        result.trial().profile(),
        result.valid() && known,
        result.valid() ? !known && requests < Long.MAX_VALUE : requests < least);
  }

  /** Returns the sentences on a candidate; none if its figures leave nothing out. */
  List<String> about(PairedStudy.Candidate candidate) {
    List<String> sentences = new ArrayList<>();
    cut(candidate).ifPresent(sentences::add);
    uncounted(candidate.name()).ifPresent(sentences::add);
    return sentences;
  }

  private Optional<String> cut(PairedStudy.Candidate candidate) {
    PairedStudy.Harm harm = candidate.harm();
    if (harm.cut() + harm.incumbentCut() == 0) {
      return Optional.empty();
    }
    boolean looksBetter =
        candidate.bets().n() > 0 && candidate.bets().estimate() < 0 == study.lowest();
    String praise =
        looksBetter && harm.cut() > harm.incumbentCut()
            ? "; a window ends where it is cut, so the waits that would have followed are in no"
                + " figure, and %s may look better than it is".formatted(candidate.name())
            : "";
    return Optional.of(
        "the guard cut %s of %s short, and %d of the settings found%s"
            .formatted(
                Plural.of(harm.cut(), "window"), candidate.name(), harm.incumbentCut(), praise));
  }

  private Optional<String> uncounted(String name) {
    Map<Integer, List<Window>> pairs =
        windows.stream().collect(Collectors.groupingBy(Window::pair));
    List<List<Window>> its =
        pairs.values().stream()
            .filter(pair -> pair.size() == 2)
            .filter(pair -> pair.stream().anyMatch(window -> window.profile().equals(name)))
            .toList();
    List<List<Window>> lost =
        its.stream().filter(pair -> !pair.stream().allMatch(Window::counts)).toList();
    long few = lost.stream().filter(pair -> pair.stream().anyMatch(Window::few)).count();
    if (lost.isEmpty()) {
      return Optional.empty();
    }
    String why = few > 0 ? ", %d of them for too few requests".formatted(few) : "";
    String advice =
        few > MANY * its.size() ? "; lengthen 'window' of design to count more of them" : "";
    return Optional.of(
        "%d of %s of %s do not count%s%s"
            .formatted(lost.size(), Plural.of(its.size(), "pair"), name, why, advice));
  }
}
