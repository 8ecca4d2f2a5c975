package io.slicewise.evidence.answer;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.goal.OutcomeMetric;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.Measured;
import io.slicewise.run.result.PairedStudy;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.validity.Judgement.Finding;
import io.slicewise.run.validity.Rule;
import io.slicewise.workload.Traffic;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The trials or windows whose numbers are in doubt, because the machine that measured them had no
 * CPU to spare: by the generator's run queue, CPU, pauses or lateness, the lab's lateness, and
 * Little's law; for shares of domains, by what the monitor covers. Those that do not count because
 * of other programs, and are measured again for that, are neither in doubt nor not.
 *
 * @param doubtful how many are in doubt
 * @param all how many there are, valid or not
 * @param disturbed how many others do not count because of other programs
 * @param byRule how many break each rule
 */
record Doubts(int doubtful, int all, int disturbed, Map<Rule, Long> byRule) {
  /** The share of doubtful windows above which nothing is confirmed. */
  static final double MOST = 0.2;

  private static final Set<Rule> OF_LOADS = EnumSet.of(Rule.GENERATOR, Rule.LAB, Rule.LITTLES_LAW);
  private static final Set<Rule> OF_SHARES = EnumSet.of(Rule.LAB, Rule.COVERAGE);

  /**
   * Counts the doubtful ones among trials or windows.
   *
   * @param shares whether the metric that decides is one of domains, from the monitor
   */
  static Doubts of(Collection<TrialResult> measured, boolean shares) {
    Set<Rule> rules = shares ? OF_SHARES : OF_LOADS;
    List<TrialResult> left = measured.stream().filter(one -> !one.disturbed()).toList();
    List<Set<Rule>> broken =
        left.stream()
            .map(
                one ->
                    one.findings().stream()
                        .map(Finding::rule)
                        .filter(rules::contains)
                        .collect(Collectors.toSet()))
            .filter(some -> !some.isEmpty())
            .toList();
    return new Doubts(
        broken.size(),
        left.size(),
        measured.size() - left.size(),
        broken.stream()
            .flatMap(Set::stream)
            .collect(
                Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting())));
  }

  /** Returns whether so many are in doubt, or disturbed, that nothing is confirmed by them. */
  boolean tooMany() {
    return doubtful > MOST * all || disturbed > all;
  }

  /** Returns whether there is anything to say. */
  boolean any() {
    return doubtful > 0 || disturbed > all;
  }

  /** Returns how many are in doubt, and the rule that most of them break. */
  String sentence(String unit) {
    if (disturbed > all) {
      return "other programs disturbed %d of %s, more than half"
          .formatted(disturbed, Plural.of(disturbed + all, unit));
    }
    String most =
        byRule.entrySet().stream()
            .max(Comparator.comparingLong(Map.Entry::getValue))
            .map(one -> one.getKey().statement())
            .orElse("");
    return Phrase.of(
        "%d of %s %s in doubt (limit %.0f %%), since %s rule '%s'",
        doubtful,
        Plural.of(all, unit),
        doubtful == 1 ? "is" : "are",
        100 * MOST,
        doubtful == 1
            ? "it breaks the"
            : byRule.size() == 1 ? "they break the" : "most of them break the",
        most);
  }

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

  /**
   * Requests that ended only after their window had been read, by the setting under which they
   * started. A log shows them with the next window of the session; of a session's last window they
   * are unknown.
   */
  static final class LateRequests {
    private static final OutcomeMetric BEFORE = new OutcomeMetric(Traffic.UNFINISHED_BEFORE);

    /** The difference of two settings' shares that is worth a sentence. */
    private static final double CLEARLY = 0.001;

    private long late;
    private long requests;

    private LateRequests() {}

    private double share() {
      return requests == 0 ? 0 : late / (double) requests;
    }

    /**
     * A window in the order of time.
     *
     * @param session empty if it has none
     * @param before requests of the window before that ended too late for it; {@code NaN} if
     *     unknown
     */
    record SeenWindow(Optional<SessionKey> session, String profile, long requests, double before) {
      static SeenWindow of(TrialResult result) {
        return new SeenWindow(
            result.trial().session(),
            result.trial().profile(),
            result.load().map(LoadResult::samples).orElse(0L),
            BEFORE.value(result.measures()));
      }
    }

    /**
     * Returns a sentence if the settings differ in them, and so in what their windows leave out.
     */
    static Optional<String> sentence(List<TrialResult> results) {
      return of(
          results.stream()
              .sorted(Comparator.comparing(result -> result.window().start()))
              .map(SeenWindow::of)
              .toList());
    }

    static Optional<String> of(List<SeenWindow> windows) {
      Map<String, LateRequests> byProfile = byProfile(windows);
      double most = byProfile.values().stream().mapToDouble(LateRequests::share).max().orElse(0);
      double least = byProfile.values().stream().mapToDouble(LateRequests::share).min().orElse(0);
      return most - least < CLEARLY
          ? Optional.empty()
          : Optional.of(
              byProfile.entrySet().stream()
                  .map(
                      entry ->
                          Phrase.of(
                              "%.2f %% of %s", 100 * entry.getValue().share(), entry.getKey()))
                  .collect(
                      Collectors.joining(
                          ", ",
                          "requests that ended too late to be counted in their window: ",
                          "")));
    }

    private static Map<String, LateRequests> byProfile(List<SeenWindow> windows) {
      Map<String, LateRequests> byProfile = new TreeMap<>();
      for (int i = 1; i < windows.size(); i++) {
        SeenWindow before = windows.get(i - 1);
        double late = windows.get(i).before();
        if (before.session().equals(windows.get(i).session()) && Double.isFinite(late)) {
          LateRequests its = byProfile.computeIfAbsent(before.profile(), any -> new LateRequests());
          its.late += Math.round(late);
          its.requests += before.requests() + Math.round(late);
        }
      }
      return byProfile;
    }
  }
}
