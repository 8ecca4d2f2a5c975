package io.slicewise.tune.course;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.SessionDesign;
import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.WindowPlace;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.journal.PlannedTrial.Purpose;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Creates numbered trials and windows for the measurements that a tune decided on. */
final class Planner {
  /** The number of blocks in a confirmation, and the smallest number in one of its sessions. */
  static final int CONFIRMATION_BLOCKS = 6;

  static final int CALIBRATION_TRIALS = 2;

  private final Experiment experiment;
  private final CandidatePool pool;
  private final Situation situation;
  private final List<PlannedTrial> planned = new ArrayList<>();

  Planner(Experiment experiment, CandidatePool pool, Situation situation) {
    this.experiment = experiment;
    this.pool = pool;
    this.situation = situation;
  }

  /** Returns the first trials of an uncalibrated tune: the settings found at the highest load. */
  static List<PlannedTrial> calibration(Experiment experiment, Situation situation) {
    Load load = experiment.loads().stream().max(Comparator.naturalOrder()).orElseThrow();
    Planner planner = new Planner(experiment, null, situation);
    for (int block = 1; block <= CALIBRATION_TRIALS; block++) {
      planner.addBlock(
          List.of(SchedulerProfile.AS_FOUND),
          load,
          Purpose.CALIBRATION,
          block,
          planner.session(load, false),
          block);
    }
    return planner.planned;
  }

  /** Returns the next block of a race: at one load in sessions, at all loads otherwise. */
  List<PlannedTrial> race(RaceCourse course, List<String> names) {
    List<UnitResults> units = course.units();
    int last = units.isEmpty() ? 0 : units.get(units.size() - 1).block();
    if (experiment.design().isEmpty()) {
      for (Load load : course.loads()) {
        addBlock(profiles(names), load, Purpose.RACE, last + 1, Optional.empty(), 0);
      }
      return planned;
    }
    Load first = course.loads().get(0);
    boolean several = course.loads().size() > 1 && !units.isEmpty();
    List<String> racing =
        units.stream().allMatch(unit -> unit.covers(course.loads()))
            ? names
            : units.get(units.size() - 1).names();
    if (several && !isFull(first)) {
      return windows(racing, first, last + 1);
    }
    for (Load load : course.loads()) {
      Optional<UnitResults> lacking =
          units.stream().filter(unit -> !unit.covers(List.of(load))).findFirst();
      if (lacking.isPresent()) {
        return windows(lacking.get().names(), load, lacking.get().block());
      }
    }
    return windows(racing, first, last + 1);
  }

  /** Returns how many of these loads need a new session for their next block. */
  long newSessions(List<Load> loads) {
    return experiment.design().isEmpty() ? 0 : loads.stream().filter(this::isFull).count();
  }

  /** Returns whether the current session has that load and all of its blocks. */
  private boolean isFull(Load load) {
    return situation.running().filter(session -> session.load().equals(load)).isEmpty()
        || situation.blocksOf(situation.running().get()) >= design().blocks();
  }

  private List<PlannedTrial> windows(List<String> names, Load load, int block) {
    boolean goesOn = !isFull(load);
    Optional<SessionKey> session = session(load, goesOn);
    int inSession = goesOn ? situation.blocksOf(session.orElseThrow()) + 1 : 1;
    addBlock(profiles(names), load, Purpose.RACE, block, session, inSession);
    return planned;
  }

  private Optional<SessionKey> session(Load load, boolean goesOn) {
    return experiment
        .design()
        .map(any -> goesOn ? situation.nextSession().apply(load) : situation.freshSession(load));
  }

  private SessionDesign design() {
    return experiment.design().orElseThrow();
  }

  /** Returns trials or separate sessions of the choice and the settings found. */
  List<PlannedTrial> confirmation(RaceCourse course, String choice, int firstBlock) {
    List<SchedulerProfile> both = profiles(List.of(course.names().get(0), choice));
    for (Load load : course.loads()) {
      Optional<SessionKey> session = session(load, false);
      for (int i = 0; i < blocksOfConfirmation(experiment); i++) {
        addBlock(both, load, Purpose.CONFIRMATION, firstBlock + i, session, i + 1);
      }
    }
    return planned;
  }

  /**
   * Returns a further block of the confirmation that is running; none if its session is over, or if
   * each load has its own.
   */
  List<PlannedTrial> confirmationAgain(RaceCourse course, String choice, int block) {
    Optional<SessionKey> session =
        situation
            .running()
            .filter(key -> course.loads().equals(List.of(key.load())))
            .filter(
                key ->
                    situation.history().stream()
                        .filter(one -> one.trial().session().equals(Optional.of(key)))
                        .allMatch(one -> one.isFor(Purpose.CONFIRMATION)));
    session.ifPresent(
        key ->
            addBlock(
                profiles(List.of(course.names().get(0), choice)),
                key.load(),
                Purpose.CONFIRMATION,
                block,
                session,
                situation.blocksOf(key) + 1));
    return planned;
  }

  static int blocksOfConfirmation(Experiment experiment) {
    return Math.max(CONFIRMATION_BLOCKS, experiment.design().map(SessionDesign::blocks).orElse(0));
  }

  private List<SchedulerProfile> profiles(List<String> names) {
    return names.stream().map(name -> pool.named(name).orElseThrow().profile()).toList();
  }

  private void addBlock(
      List<SchedulerProfile> profiles,
      Load load,
      Purpose purpose,
      int block,
      Optional<SessionKey> session,
      int inSession) {
    List<SchedulerProfile> order = new ArrayList<>(profiles);
    Collections.shuffle(order, new Random(experiment.seed() * 31 + 1_009L * block + load.salt()));
    int position = 1;
    for (SchedulerProfile profile : order) {
      Trial trial =
          new Trial(
              situation.nextNumber() + planned.size(),
              block,
              profile.name(),
              load,
              repetition(profile.name(), load));
      int place = position++;
      planned.add(
          new PlannedTrial(
              session
                  .map(key -> trial.at(new WindowPlace(key.number(), inSession, place)))
                  .orElse(trial),
              profile,
              purpose));
    }
  }

  private int repetition(String profile, Load load) {
    return 1
        + (int)
            (situation.history().stream()
                    .map(Outcome::trial)
                    .filter(one -> is(one, profile, load))
                    .count()
                + planned.stream()
                    .map(PlannedTrial::trial)
                    .filter(one -> is(one, profile, load))
                    .count());
  }

  private static boolean is(Trial trial, String profile, Load load) {
    return trial.profile().equals(profile) && trial.load().equals(load);
  }

  /** Returns the planned duration of a trial or window, used before any was measured. */
  static double plannedSeconds(Experiment experiment) {
    double seconds =
        experiment
            .design()
            .map(
                design ->
                    design.window().plus(design.washOut().orElse(SessionDesign.LEAST_WASH_OUT)))
            .orElseGet(() -> Plan.trialTime(experiment))
            .toNanos();
    return seconds / 1e9;
  }
}
