package io.slicewise.tune.course;

import io.slicewise.base.units.PercentText;
import io.slicewise.base.units.Phrase;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.stats.Correlation;
import io.slicewise.tune.Race.Answer;
import io.slicewise.tune.ResponseSurface;
import io.slicewise.tune.course.CandidatePool.Candidate;
import io.slicewise.tune.course.TuneCourse.Allowance;
import io.slicewise.tune.course.TuneCourse.CourseStep;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The next step of one race: another block, more candidates, its confirmation, or the end. */
final class Decision {
  /** Rank correlation below which the simulation is not trusted. */
  static final double AGREEMENT = 0.5;

  private static final int WIDENED = 4;
  private static final int REFINED = 4;
  private static final int ROUNDS = 2;
  private static final int CONFIRMATIONS = 3;

  /** The settings found and two candidates. */
  private static final int LEAST_RACING = 3;

  private final RaceCourse course;
  private final Planner planner;
  private final Allowance left;
  private final Costs costs;
  private final double confirmation;
  private final Map<String, List<Double>> points = new LinkedHashMap<>();

  Decision(RaceCourse course, Planner planner, Costs costs, Allowance left) {
    this.course = course;
    this.planner = planner;
    this.left = left;
    this.costs = costs;
    this.confirmation =
        2.0 * course.loads().size() * Planner.blocksOfConfirmation(course.experiment());
    for (Candidate one : course.pool().candidates()) {
      if (!one.point().isEmpty()) {
        points.put(one.name(), one.point());
      }
    }
  }

  /** Returns the next step; without trials if this race is over for the night. */
  CourseStep next() {
    if (course.isFruitless()) {
      return new CourseStep(
          List.of(),
          (course.hasResults()
                  ? "%s could not be measured in any of %d blocks: measure longer, or choose"
                      + " another goal"
                  : "%s is unknown: none of %d blocks has a valid result; the report lists each"
                      + " failure")
              .formatted(course.metric().label(), course.units().size()));
    }
    Optional<CourseStep> again = confirmAgain();
    if (again.isPresent()) {
      return again.get();
    }
    if (course.confirmations().endedRace() && (course.decided() || !affords(1, blockTrials()))) {
      return afterConfirmation();
    }
    List<String> missing =
        course.entrants().stream().filter(name -> !course.names().contains(name)).toList();
    if (!missing.isEmpty()) {
      List<String> all = new ArrayList<>(course.survivors());
      missing.stream().filter(name -> !all.contains(name)).forEach(all::add);
      return new CourseStep(
          planner.race(course, all),
          "the race begins with %d candidates and the settings found".formatted(all.size() - 1));
    }
    if (course.decided()) {
      return refined().orElseGet(() -> confirm("decided"));
    }
    return widened().orElseGet(this::nextBlock);
  }

  private CourseStep nextBlock() {
    List<Integer> next = affordable(course.race().next());
    if (next.isEmpty() || !affords(1, (double) next.size() * course.loads().size())) {
      return confirm("the budget ends");
    }
    List<String> names = next.stream().map(course.names()::get).toList();
    return new CourseStep(planner.race(course, names), "");
  }

  /**
   * Returns the best of these candidates as far as the budget pays for their first blocks: a few
   * that are known well say more than many that were seen once.
   */
  private List<Integer> affordable(List<Integer> candidates) {
    int lacking = course.rules().firstBlocks() - course.path().size();
    if (lacking <= 0) {
      return candidates;
    }
    List<Integer> best = new ArrayList<>(candidates);
    while (best.size() > LEAST_RACING
        && !affords(lacking, (double) best.size() * course.loads().size())) {
      best.remove(course.worst(best));
    }
    return candidates.stream().filter(best::contains).toList();
  }

  private double blockTrials() {
    return (double) course.survivors().size() * course.loads().size();
  }

  /** Returns whether that many blocks fit in addition to the confirmation. */
  private boolean affords(double blocks, double trials) {
    double number = blocks * trials + confirmation;
    double sessions = planner.newSessions(course.loads()) + course.loads().size();
    return left.covers(number, costs.of(number, sessions));
  }

  private CourseStep confirm(String why) {
    course.setDoubtfulAside();
    Answer answer = course.answer();
    if (answer.choice() <= 0) {
      return new CourseStep(List.of(), why + ": no candidate is ahead of the settings found");
    }
    return new CourseStep(
        planner.confirmation(course, course.choice(), firstBlockOfConfirmation()),
        "%s: %s is measured again to confirm it; %s".formatted(why, course.choice(), sureness()));
  }

  private int firstBlockOfConfirmation() {
    return course.confirmations().lastBlock() + 1;
  }

  private String sureness() {
    return Phrase.of(
        "within %s of the best with P >= %.3f",
        PercentText.of(course.rules().within()), course.race().probability());
  }

  /** Measures an invalid window of a confirmation again, in a further block of its session. */
  private Optional<CourseStep> confirmAgain() {
    Confirmations all = course.confirmations();
    int most = Planner.blocksOfConfirmation(course.experiment());
    if (all.lacking() == 0
        || all.size() - all.lacking() >= most
        || all.size() >= 2 * most
        || !left.covers(2, costs.of(2, 0))) {
      return Optional.empty();
    }
    List<PlannedTrial> block =
        planner.confirmationAgain(course, all.choice().orElseThrow(), firstBlockOfConfirmation());
    return block.isEmpty()
        ? Optional.empty()
        : Optional.of(new CourseStep(block, "an invalid window of the confirmation is repeated"));
  }

  /** Adds blocks if the confirmation has too few. */
  private CourseStep afterConfirmation() {
    boolean guarded = course.confirmation().filter(one -> !one.broken().isEmpty()).isPresent();
    if (guarded
        && course.confirmations().started() < CONFIRMATIONS
        && left.covers(confirmation, costs.of(confirmation, course.loads().size()))) {
      return confirm("the choice broke a guard");
    }
    boolean enough =
        course
            .confirmation()
            .filter(one -> one.effect().n() >= Planner.CONFIRMATION_BLOCKS / 2)
            .isPresent();
    if (enough || course.confirmations().started() >= CONFIRMATIONS) {
      return new CourseStep(
          List.of(), course.decided() ? "decided and confirmed" : "the budget ends");
    }
    return confirm("too few blocks of the confirmation are valid");
  }

  /**
   * Adds discarded candidates if the simulation is not shown to rank candidates as the host does.
   */
  private Optional<CourseStep> widened() {
    boolean due =
        course.pool().simulated()
            && course.path().size() >= course.rules().firstBlocks()
            && course.names().stream().noneMatch(this::isWidened);
    Optional<Correlation> agreement = course.agreement();
    if (!due || agreement.isEmpty() || agreement.get().low() > AGREEMENT) {
      return Optional.empty();
    }
    List<String> more =
        course.pool().candidates().stream()
            .filter(one -> !one.simulated().isEmpty())
            .map(Candidate::name)
            .filter(name -> !course.names().contains(name))
            .limit(WIDENED)
            .toList();
    return entering(
        more,
        Phrase.of(
            "simulated and measured effects have a rank correlation of %.2f (95 %% CI %.2f to"
                + " %.2f), not shown above %.1f: %d candidates that the simulation had discarded"
                + " enter",
            agreement.get().spearman(),
            agreement.get().low(),
            agreement.get().high(),
            AGREEMENT,
            more.size()));
  }

  private boolean isWidened(String name) {
    return course.widened().contains(name);
  }

  private Optional<CourseStep> refined() {
    int rounds = course.refinements();
    if (rounds >= ROUNDS) {
      return Optional.empty();
    }
    List<String> near = proposals();
    return entering(
        near,
        "the response surface proposes %d points near the best (refinement %d)"
            .formatted(near.size(), rounds + 1));
  }

  private Optional<CourseStep> entering(List<String> more, String reason) {
    double trials = (double) more.size() * course.loads().size();
    if (more.isEmpty() || !affords(course.rules().firstBlocks(), trials + blockTrials())) {
      return Optional.empty();
    }
    List<String> names = new ArrayList<>();
    if (course.experiment().design().isPresent()) {
      names.addAll(course.survivors());
    }
    names.addAll(more);
    List<PlannedTrial> block = planner.race(course, names);
    return Optional.of(new CourseStep(block, reason));
  }

  /** Returns unmeasured points that the surface predicts to be at least as good as the leader. */
  private List<String> proposals() {
    Optional<ResponseSurface> surface = new EffectSurface(course).fit();
    List<Double> leader = points.get(course.names().get(course.race().leader()));
    if (surface.isEmpty() || leader == null) {
      return List.of();
    }
    double known = surface.get().predict(leader);
    List<List<Double>> measured =
        course.names().stream().filter(points::containsKey).map(points::get).toList();
    List<List<Double>> pool =
        points.values().stream().filter(point -> surface.get().predict(point) > known).toList();
    return surface.get().propose(pool, measured, REFINED).stream()
        .map(
            point ->
                points.entrySet().stream()
                    .filter(one -> one.getValue().equals(point))
                    .findFirst()
                    .orElseThrow()
                    .getKey())
        .toList();
  }
}
