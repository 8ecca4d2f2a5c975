package io.slicewise.cli.commands;

import io.slicewise.cli.screens.PlanOutline;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The limitations of a planned sweep, reported before it runs. */
final class PlanNotes {
  private final Experiment experiment;
  private final PlanOutline.Power power;
  private final Map<String, String> needs;
  private final boolean hostSeen;

  /**
   * @param needs by profile, the scheduler it waits for
   */
  PlanNotes(
      Experiment experiment, PlanOutline.Power power, Map<String, String> needs, boolean hostSeen) {
    this.hostSeen = hostSeen;
    this.experiment = experiment;
    this.power = power;
    this.needs = needs;
  }

  List<String> all() {
    List<String> notes = new ArrayList<>();
    ofTheDesign(notes);
    ofTheHost(notes);
    if (experiment.workload().loads() && !experiment.workload().isOpen()) {
      notes.add(
          "closed load: each user waits for a response before the next request, so delays to users"
              + " who could not arrive are not measured");
    }
    return List.copyOf(notes);
  }

  private void ofTheDesign(List<String> notes) {
    if (experiment.profiles().size() < 2) {
      notes.add("only one profile: nothing is compared");
    } else if (experiment.repetitions() < 2) {
      notes.add("one repetition gives no interval and no comparison; use at least 2, preferably 5");
    } else if (power.restsOnNormality()) {
      notes.add(
          ("with %s blocks significance assumes normally distributed trials; more blocks"
                  + " weaken that assumption")
              .formatted(power.blocks()));
    }
    if (experiment.stop().filter(stop -> stop.time().compareTo(firstStage()) < 0).isPresent()) {
      notes.add(
          "the first stage takes longer than 'within: time' allows; it runs in full and no block is"
              + " added");
    }
    if (experiment.order() == Experiment.Order.AS_WRITTEN) {
      notes.add(
          "order as written: drift of the host cannot be distinguished from a difference between"
              + " profiles");
    }
  }

  private void ofTheHost(List<String> notes) {
    if (!hostSeen && schedulers() > 1) {
      notes.add(
          "profiles of %s schedulers: those that the host does not run wait for a reboot"
              .formatted(schedulers()));
    }
    if (!needs.isEmpty() && needs.size() < experiment.profiles().size()) {
      notes.add(
          "profiles that need another scheduler run after a reboot: differences between boots are"
              + " included in their comparison");
    }
    if (experiment.lab().isPresent()) {
      notes.add("results from the embedded lab do not apply to real hosts");
    }
  }

  private Duration firstStage() {
    return Plan.trialTime(experiment).multipliedBy(Plan.of(experiment).size());
  }

  private long schedulers() {
    return experiment.profiles().stream()
        .flatMap(profile -> profile.scheduler().stream())
        .distinct()
        .count();
  }
}
