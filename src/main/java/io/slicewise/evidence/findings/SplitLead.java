package io.slicewise.evidence.findings;

import io.slicewise.evidence.analysis.CellTrials;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.result.TrialResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A load at which two averages disagree about the best profile. Tables of cells and the race of a
 * tune's trials average values; verdicts and confirmations average ratios, that is logarithms, so
 * that one slow trial counts less.
 *
 * @param byMean the best by arithmetic means
 * @param byRatio the best by geometric means
 */
public record SplitLead(Load load, String byMean, String byRatio) {
  /** A profile's average of either kind; of ratios any value that orders profiles like them. */
  private record Averages(double mean, double ratio) {}

  /**
   * Returns one sentence for all loads at which the tables' means and the verdicts disagree.
   *
   * @param compared the comparisons that verdicts are about
   */
  public static Optional<String> ofVerdicts(
      Experiment experiment, List<TrialResult> results, List<Comparison> compared) {
    List<CellTrials> cells = CellTrials.of(experiment, results);
    List<SplitLead> split = new ArrayList<>();
    for (Load load : experiment.loads()) {
      List<Comparison> its =
          compared.stream()
              .filter(row -> row.load().equals(load) && row.means().effect().n() > 1)
              .filter(row -> row.kind() == Comparison.Kind.PRIMARY)
              .toList();
      if (!its.isEmpty()) {
        Metric metric = its.get(0).metric();
        Map<String, Double> percents = new LinkedHashMap<>(Map.of(experiment.baseline(), 0.0));
        its.forEach(row -> percents.put(row.profile(), row.change().percent()));
        Map<String, Averages> averages = new LinkedHashMap<>();
        cells.stream()
            .filter(cell -> cell.load().equals(load) && percents.containsKey(cell.profile()))
            .forEach(
                cell ->
                    averages.put(
                        cell.profile(),
                        new Averages(mean(cell.values(metric)), percents.get(cell.profile()))));
        of(load, averages, metric).ifPresent(split::add);
      }
    }
    return compared.isEmpty()
        ? Optional.empty()
        : sentence(split, compared.get(0).metric(), "the tables show", "verdicts compare");
  }

  /** Returns one sentence for all loads at which a race of trials and its ratios disagree. */
  public static Optional<String> ofRace(List<TrialResult> raced, Metric metric) {
    Map<Load, Map<String, List<Double>>> values = new TreeMap<>();
    raced.stream()
        .filter(TrialResult::valid)
        .filter(trial -> metric.value(trial) > 0)
        .forEach(
            trial ->
                values
                    .computeIfAbsent(trial.trial().load(), any -> new LinkedHashMap<>())
                    .computeIfAbsent(trial.trial().profile(), any -> new ArrayList<>())
                    .add(metric.value(trial)));
    List<SplitLead> split = new ArrayList<>();
    values.forEach(
        (load, its) -> {
          int most = its.values().stream().mapToInt(List::size).max().orElse(0);
          Map<String, Averages> averages = new LinkedHashMap<>();
          its.entrySet().stream()
              .filter(entry -> most > 1 && entry.getValue().size() == most)
              .forEach(entry -> averages.put(entry.getKey(), averages(entry.getValue())));
          of(load, averages, metric).ifPresent(split::add);
        });
    return sentence(split, metric, "the race compares", "the confirmation compares");
  }

  private static Averages averages(List<Double> values) {
    return new Averages(
        mean(values.stream().mapToDouble(x -> x).toArray()),
        mean(values.stream().mapToDouble(Math::log).toArray()));
  }

  private static double mean(double... values) {
    return Arrays.stream(values).average().orElse(Double.NaN);
  }

  private static Optional<SplitLead> of(Load load, Map<String, Averages> averages, Metric metric) {
    int sign = metric.moreIsBetter() ? -1 : 1;
    Comparator<Map.Entry<String, Averages>> byMean =
        Comparator.comparingDouble(entry -> sign * entry.getValue().mean());
    Comparator<Map.Entry<String, Averages>> byRatio =
        Comparator.comparingDouble(entry -> sign * entry.getValue().ratio());
    return averages.entrySet().stream()
        .min(byMean)
        .flatMap(
            mean ->
                averages.entrySet().stream()
                    .min(byRatio)
                    .filter(ratio -> byMean.compare(mean, ratio) < 0)
                    .filter(ratio -> byRatio.compare(ratio, mean) < 0)
                    .map(ratio -> new SplitLead(load, mean.getKey(), ratio.getKey())));
  }

  private static Optional<String> sentence(
      List<SplitLead> split, Metric metric, String means, String ratios) {
    return split.isEmpty()
        ? Optional.empty()
        : Optional.of(
            split.stream()
                .map(
                    one ->
                        "%s by means but %s by ratios%s"
                            .formatted(one.byMean(), one.byRatio(), one.load().at()))
                .collect(
                    Collectors.joining(
                        "; ",
                        "the best %s is that of ".formatted(metric.key()),
                        "; %s means, %s ratios".formatted(means, ratios))));
  }
}
