package io.slicewise.cli.commands;

import io.slicewise.cli.screens.PlanOutline;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a sweep as planned cannot show, said before it costs a night. */
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
          "closed load: each user waits for an answer before asking again, so waits of users who"
              + " did not arrive are not counted");
    }
    return List.copyOf(notes);
  }

  private void ofTheDesign(List<String> notes) {
    if (experiment.profiles().size() < 2) {
      notes.add("one profile alone: nothing is compared");
    } else if (experiment.repetitions() < 2) {
      notes.add("one repetition gives no interval and no comparison; take at least 2, better 5");
    } else if (power.restsOnNormality()) {
      notes.add(
          "with "
              + power.blocks()
              + " blocks significance rests on trials scattering normally; more blocks need less"
              + " faith");
    }
    if (experiment.stop().filter(stop -> stop.time().compareTo(firstStage()) < 0).isPresent()) {
      notes.add(
          "the first stage alone takes longer than 'within: time' allows; it is run whole, and no"
              + " block is added");
    }
    if (experiment.order() == Experiment.Order.AS_WRITTEN) {
      notes.add("order as written: drift of the host looks like a difference between profiles");
    }
  }

  private void ofTheHost(List<String> notes) {
    if (!hostSeen && schedulers() > 1) {
      notes.add(
          "profiles of "
              + schedulers()
              + " schedulers: those whose scheduler the host does not run wait for a reboot into"
              + " it");
    }
    if (!needs.isEmpty() && needs.size() < experiment.profiles().size()) {
      notes.add(
          "profiles that need another scheduler run after a reboot: their difference from the"
              + " others includes the difference between two boots");
    }
    if (experiment.lab().isPresent()) {
      notes.add("the embedded lab stands for a host: what it shows holds for no other");
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
