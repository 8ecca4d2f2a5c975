package io.slicewise.evidence.answer;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.evidence.analysis.Basis;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.GroupedNote;
import io.slicewise.evidence.analysis.MeasuredRun;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.RunOrder;
import io.slicewise.evidence.analysis.Summaries;
import io.slicewise.evidence.answer.Answer.Claim;
import io.slicewise.evidence.answer.Answer.Effect;
import io.slicewise.evidence.answer.Answer.Grade;
import io.slicewise.evidence.answer.Answer.Kind;
import io.slicewise.evidence.answer.Doubts.LateRequests;
import io.slicewise.evidence.answer.Doubts.PairDoubts;
import io.slicewise.evidence.facts.Attempts;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.PairsDesign;
import io.slicewise.experiment.goal.DomainMetric;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.PlannedTrial.Purpose;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.result.Measured;
import io.slicewise.run.result.PairedStudy;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Effect.Change;
import io.slicewise.stats.SessionEffect;
import io.slicewise.stats.Verdict;
import io.slicewise.stats.power.CoinPower;
import io.slicewise.tune.course.Confirmation;
import io.slicewise.tune.course.RaceCourse;
import io.slicewise.tune.course.Rivals;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** Makes the answer of a run from its evidence: the only place that decides what a run claims. */
public final class Answers {
  /** The fewest pairs of a study that only observes from which anything is predicted. */
  private static final int FEWEST_OBSERVED = 5;

  private static final double ARRIVALS_LEVEL = 0.01;

  private final RunEvidence evidence;
  private final boolean shares;
  private final String unit;

  private Answers(RunEvidence evidence) {
    this.evidence = evidence;
    this.shares = DomainMetric.of(evidence.facts().question().primary().key()).isPresent();
    this.unit = evidence.experiment().unit();
  }

  /** Returns the answer of a run. */
  public static Answer of(RunEvidence evidence) {
    Answers answers = new Answers(evidence);
    return evidence.course().isPresent() ? answers.ofTune() : answers.ofSweep();
  }

  private Answer ofTune() {
    List<RaceCourse> races = evidence.course().orElseThrow().races();
    boolean ended = evidence.run().record().state() != RunState.RUNNING;
    List<Claim> claims = new ArrayList<>();
    List<String> surer = new ArrayList<>();
    Set<String> caveats = new LinkedHashSet<>();
    Diagnostics checks = Diagnostics.of(evidence.facts(), true, largest(races));
    caveats.addAll(checks.alarms());
    Set<String> within = new LinkedHashSet<>();
    for (RaceCourse race : races) {
      Doubts doubts = Doubts.of(supporting(race), shares);
      RaceClaim made = new RaceClaim(race, ended, worth(race, checks, doubts));
      claims.add(made.claim());
      made.decisive().ifPresent(surer::add);
      (doubts.tooMany() ? caveats : within).addAll(doubts(doubts).stream().toList());
    }
    if (claims.stream().anyMatch(claim -> claim.grade() == Grade.THIS_SESSION)) {
      caveats.add(
          "the confirmation is of one session: its interval does not include what a restart"
              + " changes");
    }
    for (RaceCourse race : races) {
      race.confirmation()
          .filter(Confirmation::confirmed)
          .map(one -> Rivals.of(race, one.choice()))
          .ifPresent(rivals -> caveats.addAll(others(rivals)));
    }
    caveats.addAll(checks.notes());
    evidence.splitLead().ifPresent(caveats::add);
    caveats.addAll(within);
    return answer(claims, new Limits(List.of(), caveats, surer), List.of());
  }

  /**
   * What is known about an answer besides its claims.
   *
   * @param surer what would meet further rules
   */
  private record Limits(List<String> supports, Set<String> caveats, List<String> surer) {}

  private static double largest(List<RaceCourse> races) {
    return races.stream()
        .flatMap(race -> race.confirmation().stream())
        .mapToDouble(one -> 100 * Math.abs(one.effect().mean()))
        .max()
        .orElse(Double.NaN);
  }

  /** Returns what the claim of a race rests on: its confirmation, or its blocks without one. */
  private List<TrialResult> supporting(RaceCourse race) {
    List<TrialResult> confirmed = evidence.lastConfirmation(race);
    return confirmed.isEmpty() ? evidence.measuredFor(Purpose.RACE, race) : confirmed;
  }

  private Grade worth(RaceCourse race, Diagnostics checks, Doubts doubts) {
    if (!checks.alarms().isEmpty()) {
      return Grade.UNRELIABLE;
    }
    if (doubts.tooMany()) {
      return Grade.TOO_BUSY;
    }
    boolean switched = evidence.experiment().design().isPresent();
    return switched && sessions(race) < SessionEffect.REPLICATES
        ? Grade.THIS_SESSION
        : Grade.CONFIRMED;
  }

  /** Returns the sessions in which the choice of a race was confirmed, at the load with fewest. */
  private long sessions(RaceCourse race) {
    String choice = race.confirmation().map(Confirmation::choice).orElse("");
    return race.loads().stream()
        .mapToLong(
            load ->
                supporting(race).stream()
                    .map(TrialResult::trial)
                    .filter(one -> one.load().equals(load) && one.profile().equals(choice))
                    .map(one -> one.session())
                    .distinct()
                    .count())
        .min()
        .orElse(0);
  }

  private static List<String> asGood(List<String> names) {
    return names.isEmpty() ? List.of() : List.of("may be as good: " + String.join(" | ", names));
  }

  private static List<String> others(Rivals rivals) {
    List<String> sentences = new ArrayList<>(asGood(rivals.asGood()));
    if (!rivals.hardlyMeasured().isEmpty()) {
      sentences.add(
          "measured too seldom to compare: " + String.join(" | ", rivals.hardlyMeasured()));
    }
    return sentences;
  }

  private Answer ofSweep() {
    List<Comparison> all =
        evidence.facts().comparisons().stream()
            .filter(one -> one.kind() == Comparison.Kind.PRIMARY)
            .toList();
    Optional<String> better = evidence.facts().candidate();
    Optional<Comparison> shown = better.flatMap(name -> strongest(all, name));
    Diagnostics checks =
        Diagnostics.of(
                evidence.facts(),
                evidence.experiment().order().hasBlocks() || shown.isPresent(),
                shown.map(one -> one.change().percent()).orElse(Double.NaN))
            .and(arrivals())
            .and(shown.flatMap(this::drift).stream().toList());
    Doubts doubts = Doubts.of(supporting(better), shares);
    Set<String> caveats = new LinkedHashSet<>(checks.alarms());
    if (doubts.tooMany()) {
      doubts(doubts).ifPresent(caveats::add);
    }
    int planned = MeasuredRun.planned(evidence.run());
    int finished = new Attempts(evidence.results()).trials();
    if (finished < planned) {
      caveats.add("%d of %s have finished so far".formatted(finished, Plural.of(planned, unit)));
    }
    Optional<Objections> objections = better.map(name -> Objections.to(name, evidence));
    objections.ifPresent(found -> caveats.addAll(found.broken()));
    caveats.addAll(asGood(evidence.facts().rivals()));
    study().ifPresent(found -> caveats.addAll(ofPairs(found)));
    LateRequests.sentence(evidence.results()).ifPresent(caveats::add);
    caveats.addAll(checks.notes());
    evidence.splitLead().ifPresent(caveats::add);
    doubts(doubts).ifPresent(caveats::add);
    Claim claim =
        all.isEmpty()
            ? new Claim(
                Kind.OPEN,
                doubts.tooMany() ? Grade.TOO_BUSY : Grade.UNDECIDED,
                evidence.experiment().loads(),
                List.of(),
                Optional.empty(),
                noValid().orElseGet(() -> "No answer yet: " + whyNothingCompared()))
            : shown
                .map(one -> better(one, all, worth(one, checks, doubts)))
                .orElseGet(() -> none(all, worth(all.get(0), checks, doubts)));
    return answer(
        List.of(claim),
        new Limits(
            objections.map(Objections::met).orElse(List.of()),
            caveats,
            objections.map(Objections::surer).orElse(List.of())),
        all);
  }

  /**
   * Returns that a drift of the host would explain an effect: without blocks it is part of it, and
   * the trials show it to be smaller only up to the end of its interval.
   */
  private Optional<String> drift(Comparison one) {
    Experiment experiment = evidence.experiment();
    if (experiment.order().hasBlocks()) {
      return Optional.empty();
    }
    double apart =
        RunOrder.apart(
            evidence.results(),
            evidence.facts().question().primary(),
            one.load(),
            experiment.baseline(),
            one.profile());
    double largest = evidence.facts().drift().largest();
    Change change = one.change();
    double shown =
        Math.min(
            Math.abs(Math.log1p(change.low() / 100)), Math.abs(Math.log1p(change.high() / 100)));
    return shown > apart * largest
        ? Optional.empty()
        : Optional.of(
            Phrase.of(
                "a drift of the host by up to %.2g %% a trial is possible, which over %.0f trials"
                    + " in this order would explain the effect of %s: measure with 'order: blocks'",
                100 * Math.expm1(largest), apart, one.profile()));
  }

  /** Returns the comparison that is quoted for a profile: the one at the highest load. */
  private static Optional<Comparison> strongest(List<Comparison> all, String profile) {
    return all.stream()
        .filter(one -> one.profile().equals(profile) && one.verdict() == Verdict.BETTER)
        .max(Comparator.comparing(Comparison::load));
  }

  private List<TrialResult> supporting(Optional<String> better) {
    Set<String> compared = new HashSet<>(Set.of(evidence.experiment().baseline()));
    better.ifPresent(compared::add);
    return better.isEmpty()
        ? evidence.results()
        : evidence.results().stream()
            .filter(one -> compared.contains(one.trial().profile()))
            .toList();
  }

  private static Grade worth(Comparison one, Diagnostics checks, Doubts doubts) {
    return !checks.alarms().isEmpty()
        ? Grade.UNRELIABLE
        : doubts.tooMany()
            ? Grade.TOO_BUSY
            : one.means().basis() == Basis.SESSION_BLOCKS ? Grade.THIS_SESSION : Grade.SHOWN;
  }

  private Claim better(Comparison one, List<Comparison> all, Grade worth) {
    List<Comparison> its = all.stream().filter(c -> c.profile().equals(one.profile())).toList();
    long better = its.stream().filter(c -> c.verdict() == Verdict.BETTER).count();
    Effect effect = effect(one);
    String at = RaceClaim.at(List.of(one.load()));
    String loads =
        its.size() == 1
            ? ""
            : "; better at %d of %d loads, worse at none".formatted(better, its.size());
    return new Claim(
        worth.holds() ? Kind.USE : Kind.OPEN,
        worth,
        its.stream().map(Comparison::load).toList(),
        List.of(one.profile()),
        Optional.of(effect),
        worth.holds()
            ? "Use %s%s: %s%s%s"
                .formatted(
                    one.profile(),
                    at,
                    effect.text(),
                    loads,
                    one.means().basis() == Basis.PAIRS
                        ? "; %s, exact by randomisation".formatted(effect.basis())
                        : worth == Grade.THIS_SESSION ? "; " + worth.words() : "")
            : "No answer yet%s: %s; %s is not confirmed (%s)"
                .formatted(at, worth.words(), one.profile(), effect.text()));
  }

  private Claim none(List<Comparison> all, Grade worth) {
    String found = evidence.experiment().baseline();
    String metric = evidence.facts().question().primary().key();
    List<String> mixed =
        all.stream()
            .filter(one -> one.verdict() == Verdict.BETTER)
            .map(Comparison::profile)
            .distinct()
            .toList();
    List<String> harmful = harmful();
    boolean decided =
        all.stream().collect(Collectors.groupingBy(Comparison::profile)).values().stream()
            .allMatch(
                its ->
                    mixed.contains(its.get(0).profile())
                        || harmful.contains(its.get(0).profile())
                        || its.stream().noneMatch(one -> one.verdict() == Verdict.UNCLEAR));
    Optional<Effect> closest =
        all.stream()
            .min(
                Comparator.comparingDouble(
                    one ->
                        evidence.facts().question().primary().moreIsBetter()
                            ? -one.change().percent()
                            : one.change().percent()))
            .map(this::effect);
    Kind kind = decided && worth.holds() ? Kind.KEEP : Kind.OPEN;
    String why =
        !worth.holds()
            ? worth.words()
            : mixed.isEmpty()
                ? "no profile is shown to be better in " + metric
                : "%s better in %s at some loads, but not without a price at others"
                    .formatted(
                        mixed.size() == 1 ? mixed.get(0) + " is" : mixed.size() + " profiles are",
                        metric);
    return new Claim(
        kind,
        kind == Kind.KEEP || !worth.holds() ? worth : Grade.UNDECIDED,
        evidence.experiment().loads(),
        List.of(),
        closest,
        (kind == Kind.KEEP ? "Keep " + found : "No answer yet")
            + ": "
            + why
            + (evidence.experiment().pairs().isPresent()
                ? closest.map(effect -> "; " + effect.basis()).orElse("")
                : ""));
  }

  /** Returns that no trial is valid, and the main reason; empty if some are, or none has ended. */
  private Optional<String> noValid() {
    List<TrialResult> results = evidence.results();
    return results.isEmpty() || results.stream().anyMatch(TrialResult::valid)
        ? Optional.empty()
        : GroupedNote.mainReason(Summaries.summarise(evidence.experiment(), results, List.of()))
            .map(reason -> "No valid %s: %s".formatted(unit, reason));
  }

  private String whyNothingCompared() {
    if (evidence.experiment().profiles().size() < 2) {
      return "the experiment has only one profile";
    }
    if (evidence.experiment().pairs().filter(PairsDesign::observe).isPresent()) {
      return observed();
    }
    return evidence.experiment().workload().loads()
        ? "no two profiles have valid trials at the same load"
        : "nothing is loaded, so there are no rates or response times; a goal such as 'lowest wait"
            + " share of DOMAIN' needs none";
  }

  /**
   * Returns why waits of the two sides are not those of the same requests: under the site's own
   * load, nothing but the settings may change how many arrive.
   */
  private List<String> arrivals() {
    boolean rate = evidence.facts().question().primary().equals(Metric.THROUGHPUT);
    if (evidence.experiment().pairs().isEmpty()
        || !evidence.experiment().workload().live()
        || rate) {
      return List.of();
    }
    return evidence.facts().comparisons().stream()
        .filter(one -> one.metric().equals(Metric.THROUGHPUT) && one.tests().p() < ARRIVALS_LEVEL)
        .map(
            one ->
                Phrase.of(
                    "%s changes the requests that arrive by %+.1f %% (p %.4f): waits of the two"
                        + " sides cannot be compared; use 'goal: highest throughput'",
                    one.profile(), one.change().percent(), one.tests().p()))
        .toList();
  }

  /**
   * Returns which candidates left the study for harm, what their figures leave out, and how changes
   * differ by level of load and by hour.
   */
  private List<String> ofPairs(PairedStudy study) {
    List<String> sentences = new ArrayList<>();
    for (PairedStudy.Candidate candidate : study.candidates()) {
      PairedStudy.Harm harm = candidate.harm();
      if (!harm.reason().isEmpty()) {
        sentences.add("%s left the study: %s".formatted(candidate.name(), harm.reason()));
      }
      sentences.addAll(
          PairDoubts.of(study, evidence.experiment(), evidence.results()).about(candidate));
      sentences.addAll(
          PairLevels.of(candidate, evidence.results(), ZoneId.systemDefault()).sentences());
    }
    return sentences;
  }

  /** Returns the candidates that left a study of pairs for harm. */
  private List<String> harmful() {
    return study().stream()
        .flatMap(study -> study.candidates().stream())
        .filter(candidate -> candidate.state() == PairedStudy.State.HARMFUL)
        .map(PairedStudy.Candidate::name)
        .toList();
  }

  private Optional<PairedStudy> study() {
    return evidence.experiment().pairs().isPresent()
        ? Optional.of(
            PairedStudy.of(
                evidence.experiment(), evidence.results().stream().map(Measured::of).toList()))
        : Optional.empty();
  }

  /** Returns what pairs of the settings found show: how much they scatter, and what that needs. */
  private String observed() {
    double[] pairs = study().orElseThrow().candidates().get(0).changes();
    String only = "the study only observed, at the settings found";
    if (pairs.length < FEWEST_OBSERVED) {
      return only;
    }
    CoinPower power = new CoinPower(PairedStudy.LEVEL, pairs);
    int ran = evidence.results().size() / 2;
    return DoubleStream.of(0.03, 0.05, 0.1)
        .mapToObj(
            change ->
                Phrase.of(
                    "%.0f %% %s",
                    100 * change,
                    power.pairs(change, ran).isPresent()
                        ? Plural.of(power.pairs(change, ran).getAsInt(), "pair")
                        : "more than %d pairs".formatted(CoinPower.MOST)))
        .collect(
            Collectors.joining(
                ", ",
                Phrase.of(
                    "%s; its %s scatter by %.1f %%, with which a change of one candidate would take"
                        + " about: ",
                    only,
                    Plural.of(pairs.length, "pair") + nights(),
                    100 * Math.sqrt(variance(pairs))),
                ""));
  }

  /** The mean square of changes whose mean is known to be 0. */
  private static double variance(double... changes) {
    return Arrays.stream(changes).map(change -> change * change).average().orElse(0);
  }

  private Effect effect(Comparison one) {
    return new Effect(
        one.profile(),
        one.metric().key(),
        one.metric().unit(),
        one.means().before(),
        one.means().after(),
        one.change(),
        0.95,
        one.means().basis().counted(one.means().effect().n()) + nights());
  }

  /** Returns {@code " of 3 nights"}; empty of what is not pairs of several nights. */
  private String nights() {
    int nights =
        evidence.experiment().pairs().isPresent()
            ? JournalEvent.nights(evidence.run().events()).size()
            : 1;
    return nights > 1 ? " of %d nights".formatted(nights) : "";
  }

  private Optional<String> doubts(Doubts doubts) {
    return doubts.any() ? Optional.of(doubts.sentence(unit)) : Optional.empty();
  }

  private Answer answer(List<Claim> claims, Limits limits, List<Comparison> compared) {
    List<String> caveats = List.copyOf(limits.caveats());
    Answer made = new Answer(claims, limits.supports(), caveats, List.of(), List.of(), List.of());
    Optional<String> choice = made.choice();
    boolean lab = evidence.experiment().lab().isPresent();
    return new Answer(
        claims,
        made.supports(),
        caveats,
        Stream.concat(wouldChange(made, compared).stream(), limits.surer().stream()).toList(),
        choice
            .map(
                name ->
                    lab
                        ? evidence.commands(name).apply()
                        : List.of(
                            "slicewise apply %s --profile %s"
                                .formatted(evidence.run().root(), SchedulerProfile.fileName(name))))
            .orElse(List.of()),
        choice
            .map(
                name ->
                    lab
                        ? evidence.commands(name).undo()
                        : List.of(
                            "slicewise restore "
                                + evidence
                                    .run()
                                    .root()
                                    .resolve("applied")
                                    .resolve(SchedulerProfile.fileName(name) + "-*")))
            .orElse(List.of()));
  }

  private List<String> wouldChange(Answer made, List<Comparison> compared) {
    List<String> would = new ArrayList<>();
    boolean tune = evidence.course().isPresent();
    if (made.grade() == Grade.TOO_BUSY) {
      would.add(
          "end the other work on the machine of the generator, or generate the load on another one,"
              + " and measure again");
    }
    if (tune && (made.kind() == Kind.OPEN || made.kind() == Kind.SET || !made.grade().holds())) {
      boolean over = evidence.course().orElseThrow().races().stream().allMatch(RaceCourse::decided);
      would.add(
          over
              ? "another tune, with more blocks in its 'design', confirms with as many"
              : "'slicewise tune --continue' adds another budget");
    } else if (made.grade() == Grade.THIS_SESSION) {
      would.add(
          tune
              ? "another tune of these settings, or 'slicewise run' with %d sessions"
                  .formatted(SessionEffect.REPLICATES)
              : "%d sessions in the experiment's design".formatted(SessionEffect.REPLICATES));
    }
    compared.stream()
        .filter(one -> one.verdict() == Verdict.UNCLEAR && one.moreBlocks().isPresent())
        .min(Comparator.comparingInt(one -> one.moreBlocks().getAsInt()))
        .ifPresent(
            one ->
                would.add(
                    Phrase.of(
                        "%s of %s%s would decide, assuming the same effect and variance",
                        Plural.of(
                            one.moreBlocks().getAsInt(), "more " + one.means().basis().unit()),
                        one.profile(),
                        RaceClaim.at(List.of(one.load())))));
    return would;
  }
}
