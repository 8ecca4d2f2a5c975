package io.slicewise.sweep.source;

import io.slicewise.base.units.Plural;
import io.slicewise.experiment.BlockOrders;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.SessionDesign;
import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.SessionPlan;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.WindowPlace;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.result.Measured;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The sessions of a switchback design. An interrupted session is not continued: its results count,
 * and its incomplete blocks are planned as a new session of the load.
 *
 * <p>Single windows are not repeated, because their block has passed. A block in which other
 * programs disturbed a window is replaced by a further one, at the end of its session if that goes
 * on; as many of a load as {@code repeat-invalid} for each session, and none if every block was
 * disturbed.
 */
final class SwitchbackPlan implements TrialSource {
  /** Windows without a result after which no process plans further sessions. */
  private static final int MOST_FAILURES = 5;

  private final Experiment experiment;
  private final SessionDesign design;
  private final List<PlannedTrial> plan;

  /**
   * @throws java.util.NoSuchElementException if the experiment's design is not a switchback
   */
  SwitchbackPlan(Experiment experiment) {
    this.experiment = experiment;
    this.design = experiment.design().orElseThrow();
    this.plan = PlannedTrial.of(experiment, Plan.of(experiment));
  }

  @Override
  public Answer next(TrialHistory history) {
    Collection<PlannedTrial> windows = windows(history);
    List<PlannedTrial> open =
        new ArrayList<>(
            history.open(List.copyOf(windows)).stream()
                .filter(one -> !history.isOver(session(one)))
                .toList());
    Comparator<PlannedTrial> runningFirst =
        Comparator.comparing(one -> !history.running().equals(one.trial().session()));
    List<String> reasons = new ArrayList<>();
    if (history.failed().size() < MOST_FAILURES) {
      open.addAll(replacements(history, windows, reasons));
    }
    open.sort(runningFirst.thenComparingInt(one -> one.trial().number()));
    return new Answer(open, String.join("; ", reasons));
  }

  /** Returns the windows of the planned sessions and of those that replace incomplete ones. */
  private Collection<PlannedTrial> windows(TrialHistory history) {
    Map<String, PlannedTrial> windows = new LinkedHashMap<>();
    plan.forEach(one -> windows.put(one.trial().slug(), one));
    history.planned().forEach(one -> windows.putIfAbsent(one.trial().slug(), one));
    return windows.values();
  }

  private static SessionKey session(PlannedTrial one) {
    return one.trial().session().orElseThrow();
  }

  /**
   * Returns the windows that replace lost blocks, for each load and boot.
   *
   * @param reasons receives a phrase for each load and boot
   */
  private List<PlannedTrial> replacements(
      TrialHistory history, Collection<PlannedTrial> windows, List<String> reasons) {
    Map<Integer, Measured> measured =
        history.measured().stream()
            .collect(
                Collectors.toMap(
                    one -> one.trial().number(), one -> one, (first, second) -> second));
    List<PlannedTrial> more = new ArrayList<>();
    int number = Math.max(history.nextNumber(), plan.size() + 1);
    for (Load load : experiment.loads()) {
      int session = nextSession(history, load);
      int block =
          windows.stream()
              .filter(one -> one.trial().load().equals(load))
              .mapToInt(one -> one.trial().block())
              .max()
              .orElse(0);
      for (List<String> boot : SessionPlan.boots(experiment)) {
        List<PlannedTrial> itsOwn =
            windows.stream()
                .filter(one -> one.trial().load().equals(load))
                .filter(one -> boot.contains(one.trial().profile()))
                .toList();
        int owed = design.windows() - blocks(history, itsOwn, measured);
        if (owed > 0) {
          Optional<SessionKey> current =
              history.running().filter(key -> itsOwn.stream().anyMatch(isOf(key)));
          Replacement rest =
              new Replacement(
                  load,
                  current.map(SessionKey::number).orElse(session),
                  itsOwn.stream()
                      .filter(one -> current.filter(key -> isOf(key).test(one)).isPresent())
                      .mapToInt(SwitchbackPlan::place)
                      .max()
                      .orElse(0),
                  Math.min(owed, design.blocks()),
                  boot);
          more.addAll(rest.windows(itsOwn, number, block));
          reasons.add(rest.reason(current.isPresent()));
          if (current.isEmpty()) {
            session++;
          }
          block += rest.blocks();
          number += rest.blocks() * boot.size();
        }
      }
    }
    return more;
  }

  private int nextSession(TrialHistory history, Load load) {
    int planned =
        plan.stream()
            .filter(one -> one.trial().load().equals(load))
            .mapToInt(one -> session(one).number() + 1)
            .max()
            .orElse(1);
    return Math.max(planned, history.nextSession(load).number());
  }

  /**
   * Returns the number of blocks that are complete or can still be completed, with those disturbed
   * blocks that are not replaced.
   */
  private int blocks(
      TrialHistory history, List<PlannedTrial> windows, Map<Integer, Measured> measured) {
    List<List<PlannedTrial>> whole =
        windows.stream().collect(Collectors.groupingBy(SwitchbackPlan::blockOf)).values().stream()
            .filter(
                block ->
                    !history.isOver(session(block.get(0)))
                        || block.stream()
                            .allMatch(one -> measured.containsKey(one.trial().number())))
            .toList();
    long disturbed =
        whole.stream().filter(block -> block.stream().anyMatch(isDisturbed(measured))).count();
    long clean =
        whole.stream()
            .filter(block -> block.stream().noneMatch(isDisturbed(measured)))
            .filter(
                block -> block.stream().allMatch(one -> measured.containsKey(one.trial().number())))
            .count();
    int most = experiment.limits().moreAttempts();
    boolean hopeless = clean == 0 && disturbed > most;
    return whole.size()
        - (hopeless ? 0 : (int) Math.min(disturbed, (long) most * design.sessions()));
  }

  private static Predicate<PlannedTrial> isDisturbed(Map<Integer, Measured> measured) {
    return one ->
        Optional.ofNullable(measured.get(one.trial().number()))
            .filter(Measured::disturbed)
            .isPresent();
  }

  private static Predicate<PlannedTrial> isOf(SessionKey key) {
    return one -> session(one).equals(key);
  }

  private static int place(PlannedTrial one) {
    return one.trial().place().orElseThrow().block();
  }

  private static List<Object> blockOf(PlannedTrial one) {
    return List.of(session(one), place(one));
  }

  /** Blocks that replace lost ones: of a session of their own, or of the one that goes on. */
  private final class Replacement {
    private final Load load;
    private final int session;
    private final int before;
    private final int blocks;
    private final List<String> profiles;

    /**
     * @param before blocks of the session that come before these
     */
    Replacement(Load load, int session, int before, int blocks, List<String> profiles) {
      this.load = load;
      this.session = session;
      this.before = before;
      this.blocks = blocks;
      this.profiles = profiles;
    }

    int blocks() {
      return blocks;
    }

    /**
     * Returns what is added and why.
     *
     * @param goesOn whether the session goes on, so that it cannot have lost blocks otherwise
     */
    String reason(boolean goesOn) {
      return "%s in session %d%s, for %s %s"
          .formatted(
              Plural.of(blocks, "more block"),
              session,
              load.at(),
              blocks == 1 ? "one that" : "those that",
              goesOn
                  ? "other programs disturbed"
                  : (blocks == 1 ? "was" : "were") + " cut short or disturbed by other programs");
    }

    /**
     * @param last the highest block number of the load, in any boot: blocks of two boots must not
     *     share one
     */
    List<PlannedTrial> windows(List<PlannedTrial> earlier, int firstNumber, int last) {
      Map<String, Integer> repetitions = new TreeMap<>();
      earlier.forEach(
          one -> repetitions.merge(one.trial().profile(), one.trial().repetition(), Integer::max));
      Random random = new Random(experiment.seed() + 31L * session + load.salt() + 997L * before);
      List<List<Integer>> orders = BlockOrders.of(profiles.size(), blocks, random);
      List<Trial> windows = new ArrayList<>();
      for (int block = 1; block <= blocks; block++) {
        for (int position = 1; position <= profiles.size(); position++) {
          String profile = profiles.get(orders.get(block - 1).get(position - 1));
          int repetition = repetitions.merge(profile, 1, Integer::sum);
          Trial trial =
              new Trial(firstNumber + windows.size(), last + block, profile, load, repetition)
                  .at(new WindowPlace(session, before + block, position));
          windows.add(trial);
        }
      }
      return PlannedTrial.of(experiment, windows);
    }
  }
}
