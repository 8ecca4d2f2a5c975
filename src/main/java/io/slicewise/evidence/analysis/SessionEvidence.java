package io.slicewise.evidence.analysis;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.base.units.Phrase;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.result.WashOutCheck;
import io.slicewise.stats.BlockedEffect;
import io.slicewise.stats.Effect;
import io.slicewise.stats.table.NeighbourBlocks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The evidence from the sessions of a switchback design, in addition to their cells: changes from
 * the baseline, session by session, and the checks of the design.
 *
 * @param primary the metric that decides
 * @param sessions by load and number
 * @param effects of every profile in every metric, including controls
 * @param bySession in the primary metric; without sessions in which no block has both windows, and
 *     empty for pairs, whose one interval is that of the coins
 * @param checks one for each load
 */
public record SessionEvidence(
    Metric primary,
    List<Session> sessions,
    List<Comparison> effects,
    List<InSession> bySession,
    List<Check> checks) {
  private static final double CONFIDENCE = 0.95;

  public SessionEvidence {
    sessions = List.copyOf(sessions);
    effects = List.copyOf(effects);
    bySession = List.copyOf(bySession);
    checks = List.copyOf(checks);
  }

  /** Returns the same evidence with other comparisons. */
  public SessionEvidence comparing(List<Comparison> others) {
    return new SessionEvidence(primary, sessions, others, bySession, checks);
  }

  /** One session with its finished windows. */
  public record Session(@JsonUnwrapped SessionKey session, int windows, int excluded) {}

  /**
   * A profile compared with the baseline in one session.
   *
   * @param change its 95 % interval is over the session's blocks and valid for this session only
   */
  public record InSession(
      String profile,
      @JsonUnwrapped SessionKey session,
      int blocks,
      @JsonUnwrapped Effect.Change change) {}

  /**
   * The checks of one load's sessions.
   *
   * @param washOutP of "nothing of a previous profile is left"; {@code NaN} if not tested
   * @param carriedOver the largest change that is found to be left, as a share
   * @param neighbours whether neighbouring blocks are alike in the primary metric
   */
  public record Check(
      @JsonUnwrapped Load load,
      WashOutCheck.Outcome washOut,
      double washOutP,
      double carriedOver,
      String washOutSentence,
      NeighbourBlocks neighbours) {}

  /** Returns the evidence of an experiment with sessions; empty for trials. */
  public static Optional<SessionEvidence> of(Experiment experiment, List<TrialResult> results) {
    List<TrialResult> windows =
        results.stream().filter(result -> result.trial().session().isPresent()).toList();
    return experiment.design().isPresent() && !windows.isEmpty()
        ? Optional.of(of(experiment, windows, Question.of(experiment, windows)))
        : Optional.empty();
  }

  private static SessionEvidence of(
      Experiment experiment, List<TrialResult> windows, Question question) {
    SwitchedEffects method =
        new SwitchedEffects(experiment.baseline(), CellTrials.of(experiment, windows));
    List<SessionKey> keys =
        windows.stream()
            .map(window -> window.trial().session().orElseThrow())
            .distinct()
            .sorted(
                Comparator.comparingInt((SessionKey key) -> experiment.loads().indexOf(key.load()))
                    .thenComparingInt(SessionKey::number))
            .toList();
    return new SessionEvidence(
        question.primary(),
        keys.stream().map(key -> session(key, windows)).toList(),
        Comparisons.of(experiment, windows, question),
        (experiment.pairs().isPresent() ? Stream.<SessionKey>empty() : keys.stream())
            .flatMap(
                key ->
                    method.cells().stream()
                        .filter(cell -> cell.load().equals(key.load()))
                        .filter(cell -> !cell.profile().equals(experiment.baseline()))
                        .flatMap(
                            cell -> inSession(method, experiment, cell, key, question).stream()))
            .toList(),
        experiment.loads().stream()
            .filter(load -> windows.stream().anyMatch(one -> one.trial().load().equals(load)))
            .map(load -> check(experiment, windows, method, load, question.primary()))
            .toList());
  }

  private static Session session(SessionKey key, List<TrialResult> windows) {
    List<TrialResult> its =
        windows.stream()
            .filter(window -> window.trial().session().equals(Optional.of(key)))
            .toList();
    return new Session(
        key, its.size(), (int) its.stream().filter(window -> !window.valid()).count());
  }

  private static Optional<InSession> inSession(
      SwitchedEffects method,
      Experiment experiment,
      CellTrials cell,
      SessionKey key,
      Question question) {
    CellTrials before = method.cell(experiment.baseline(), cell.load());
    NavigableSet<Integer> blocks = new TreeSet<>(cell.windows(question.primary()).keySet());
    blocks.retainAll(before.windows(question.primary()).keySet());
    blocks.removeIf(block -> CellTrials.session(block) != key.number());
    if (blocks.isEmpty()) {
      return Optional.empty();
    }
    int size = method.neighbours(cell.load(), question.primary()).size();
    Effect effect =
        BlockedEffect.of(
            joined(cell, blocks, question.primary(), size),
            joined(before, blocks, question.primary(), size));
    return Optional.of(
        new InSession(cell.profile(), key, blocks.size(), effect.change(CONFIDENCE)));
  }

  /** Returns geometric means of joined blocks. */
  private static double[] joined(
      CellTrials cell, NavigableSet<Integer> blocks, Metric metric, int size) {
    double[] logs =
        blocks.stream().mapToDouble(block -> Math.log(cell.windows(metric).get(block))).toArray();
    return Arrays.stream(NeighbourBlocks.joined(logs, size)).map(Math::exp).toArray();
  }

  private static Check check(
      Experiment experiment,
      List<TrialResult> windows,
      SwitchedEffects method,
      Load load,
      Metric metric) {
    WashOutCheck washOut =
        WashOutCheck.of(
            experiment,
            windows.stream().filter(window -> window.trial().load().equals(load)).toList());
    return new Check(
        load,
        washOut.outcome(),
        washOut.p(),
        washOut.largest(),
        washOut.sentence(),
        method.neighbours(load, metric));
  }

  /** Returns the sentences of the loads at which windows show an effect of the previous profile. */
  public List<String> washOutWarnings() {
    return checks.stream()
        .filter(check -> check.washOut() == WashOutCheck.Outcome.FOUND)
        .map(check -> at(check.load()) + check.washOutSentence())
        .toList();
  }

  private static String at(Load load) {
    return load.heading();
  }

  /** Returns the basis of the intervals and the limits of the checks, as sentences. */
  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    sentences.add(
        "absolute levels are means of windows and differ from session to session; changes are"
            + " computed within blocks of a session");
    effects.stream()
        .filter(effect -> effect.metric().equals(primary))
        .collect(
            Collectors.groupingBy(one -> one.means().basis(), TreeMap::new, Collectors.toList()))
        .forEach((basis, some) -> sentences.add(basis(basis, some)));
    for (Check check : checks) {
      String at = at(check.load());
      sentences.add(at + check.washOutSentence());
      if (check.neighbours().size() > 1 || check.neighbours().left()) {
        sentences.add(at + alike(check.neighbours()));
      }
    }
    return sentences;
  }

  private String basis(Basis basis, List<Comparison> some) {
    int least = some.stream().mapToInt(one -> one.means().effect().n()).min().orElse(0);
    int most = some.stream().mapToInt(one -> one.means().effect().n()).max().orElse(0);
    String numbers = least == most ? basis.counted(least) : least + " to " + basis.counted(most);
    return "intervals of changes are over %s%s"
        .formatted(numbers, basis.caveat().isEmpty() ? "" : ": " + basis.caveat());
  }

  /** Returns where intervals over blocks are too narrow, as too few blocks are to be joined. */
  public List<String> tooNarrow() {
    boolean overBlocks =
        effects.stream()
            .filter(effect -> effect.metric().equals(primary))
            .anyMatch(effect -> effect.means().basis() == Basis.SESSION_BLOCKS);
    return checks.stream()
        .filter(check -> overBlocks && check.neighbours().left())
        .map(
            check ->
                Phrase.of(
                    "%sadjacent blocks are alike (p %.3f), and too few to be joined: the interval"
                        + " is too narrow",
                    at(check.load()), check.neighbours().p()))
        .toList();
  }

  private String alike(NeighbourBlocks neighbours) {
    return Phrase.of(
        "adjacent blocks are correlated in %s (lag 1: %.2f, p %.3f): joined in groups of %d%s",
        primary.key(),
        neighbours.correlation(),
        neighbours.p(),
        neighbours.size(),
        neighbours.left() ? ", which is not enough; intervals over blocks are too narrow" : "");
  }
}
