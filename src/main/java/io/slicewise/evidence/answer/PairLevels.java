package io.slicewise.evidence.answer;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.run.result.PairedStudy;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.CoinBets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The change of a candidate by level of load and by hour: its pairs in thirds of their requests per
 * second, and by the hour in which they began. The intervals of all thirds hold together, as do
 * those of all hours.
 */
record PairLevels(PairedStudy.Candidate candidate, Map<Integer, At> places, ZoneId zone) {
  /** The fewest pairs of which an interval can exclude anything. */
  static final int FEWEST = 8;

  private static final int THIRDS = 3;

  /**
   * Where a pair was.
   *
   * @param rate requests per second, of both of its windows
   */
  record At(double rate, Instant begun) {}

  static PairLevels of(PairedStudy.Candidate candidate, List<TrialResult> results, ZoneId zone) {
    Map<Integer, At> places =
        results.stream()
            .filter(result -> result.load().isPresent())
            .collect(
                Collectors.groupingBy(
                    result -> result.trial().block(),
                    Collectors.collectingAndThen(Collectors.toList(), PairLevels::at)));
    return new PairLevels(candidate, places, zone);
  }

  private static At at(List<TrialResult> windows) {
    return new At(
        windows.stream()
            .mapToDouble(result -> result.load().orElseThrow().throughput())
            .average()
            .orElse(Double.NaN),
        windows.stream()
            .map(result -> result.window().start())
            .min(Comparator.naturalOrder())
            .orElseThrow());
  }

  /** Returns a sentence on the levels of load and one on hours, where there are enough pairs. */
  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    byLoad().ifPresent(sentences::add);
    byHour().ifPresent(sentences::add);
    return sentences;
  }

  private Optional<String> byLoad() {
    List<PairedStudy.Pair> pairs = known().sorted(Comparator.comparingDouble(this::rate)).toList();
    int third = pairs.size() / THIRDS;
    if (third < FEWEST) {
      return Optional.empty();
    }
    List<PairedStudy.Pair> low = pairs.subList(0, third);
    List<PairedStudy.Pair> middle = pairs.subList(third, pairs.size() - third);
    List<PairedStudy.Pair> high = pairs.subList(pairs.size() - third, pairs.size());
    return Optional.of(
        "%s by load: %s; %s; %s"
            .formatted(
                candidate.name(),
                Phrase.of("below %.1f requests/s %s", rate(middle.get(0)), change(low, THIRDS)),
                Phrase.of("up to %.1f/s %s", rate(high.get(0)), change(middle, THIRDS)),
                Phrase.of("above %s", change(high, THIRDS))));
  }

  private Optional<String> byHour() {
    Map<Integer, List<PairedStudy.Pair>> hours =
        known()
            .collect(
                Collectors.groupingBy(
                    pair -> places.get(pair.number()).begun().atZone(zone).getHour(),
                    TreeMap::new,
                    Collectors.toList()));
    hours.values().removeIf(pairs -> pairs.size() < FEWEST);
    return hours.size() < 2
        ? Optional.empty()
        : Optional.of(
            hours.entrySet().stream()
                .map(
                    hour ->
                        "%02d h %s".formatted(hour.getKey(), change(hour.getValue(), hours.size())))
                .collect(Collectors.joining("; ", candidate.name() + " by hour: ", "")));
  }

  private Stream<PairedStudy.Pair> known() {
    return candidate.pairs().stream().filter(pair -> places.containsKey(pair.number()));
  }

  private double rate(PairedStudy.Pair pair) {
    return places.get(pair.number()).rate();
  }

  private static String change(List<PairedStudy.Pair> pairs, int parts) {
    CoinBets bets =
        CoinBets.of(
            PairedStudy.LEVEL / parts,
            pairs.stream().mapToDouble(PairedStudy.Pair::change).toArray());
    return Phrase.of(
        "%+.1f %% [%s, %s] (%s)",
        100 * Math.expm1(bets.estimate()),
        end(bets.low()),
        end(bets.high()),
        Plural.of(pairs.size(), "pair"));
  }

  private static String end(double change) {
    return Double.isFinite(change) ? Phrase.of("%+.1f", 100 * Math.expm1(change)) : "–";
  }
}
