package io.slicewise.run;

import io.slicewise.base.units.DurationText;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Stop;
import io.slicewise.experiment.Trial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a run does next, from what it measured so far: whether an invalid trial is tried again, and
 * whether another block is added. Both follow from the trials on disk, the limits and the clock
 * alone, so a resumed run decides as the first one would have.
 */
public final class Course {
  private final Experiment experiment;
  private final List<Measured> measured = new ArrayList<>();

  public Course(Experiment experiment, List<TrialResult> before) {
    this.experiment = experiment;
    before.forEach(this::add);
  }

  public void add(TrialResult result) {
    add(Measured.of(result));
  }

  public void add(Measured trial) {
    measured.add(trial);
  }

  /**
   * The attempt of a planned trial that is to be run; empty when it has a valid one, or none more
   * is allowed.
   */
  public Optional<Trial> attempt(Trial planned) {
    List<Measured> attempts =
        measured.stream().filter(one -> one.trial().number() == planned.number()).toList();
    int most = experiment.limits().moreAttempts();
    boolean goesOn =
        attempts.stream().noneMatch(Measured::valid)
            && attempts.size() <= most
            && (attempts.isEmpty() || !hopeless(planned, most));
    return goesOn ? Optional.of(planned.attempt(attempts.size() + 1)) : Optional.empty();
  }

  /** A cell of which no trial ever was valid, however often it was tried again. */
  private boolean hopeless(Trial trial, int most) {
    List<Measured> cell =
        measured.stream()
            .filter(one -> one.trial().load().equals(trial.load()))
            .filter(one -> one.trial().profile().equals(trial.profile()))
            .toList();
    return cell.size() > most && cell.stream().noneMatch(Measured::valid);
  }

  /** How precise the cells are; empty when the experiment does not ask. */
  public Optional<Precision> precision() {
    return experiment.stop().map(stop -> Precision.after(experiment, measured));
  }

  /**
   * Why no block is added behind that many; empty when one is.
   *
   * @param elapsed since the run began
   */
  public Optional<String> reasonToStop(Stop stop, int blocks, Duration elapsed) {
    Precision precision = Precision.after(experiment, measured);
    if (precision.enough()) {
      long hopeless = precision.cells().stream().filter(Precision.Cell::hopeless).count();
      return Optional.of(
          "precise: "
              + precision.words()
              + (hopeless == 0 ? "" : "; " + hopeless + " without any valid trial"));
    }
    if (blocks >= stop.trials()) {
      return Optional.of(blocks + " blocks are the limit; precise: " + precision.words());
    }
    if (elapsed.plus(block()).compareTo(stop.time()) > 0) {
      return Optional.of(
          "another block would not end within "
              + DurationText.of(stop.time())
              + "; precise: "
              + precision.words());
    }
    return Optional.empty();
  }

  /** How long a block takes by the trials so far, cooling down included. */
  private Duration block() {
    int cells = experiment.cells();
    double seconds =
        measured.stream()
            .mapToDouble(Measured::seconds)
            .average()
            .orElse(Plan.trialTime(experiment).minus(experiment.coolDown()).toNanos() / 1e9);
    return experiment.coolDown().plusNanos(Math.round(seconds * 1e9)).multipliedBy(cells);
  }
}
