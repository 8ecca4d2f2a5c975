package io.slicewise.cli.plan;

import io.slicewise.base.units.Percentile;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.experiment.BlockOrders;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.SessionPlan;
import io.slicewise.experiment.StudyHours;
import io.slicewise.experiment.SwitchbackDesign;
import io.slicewise.load.generator.AllowedPlans;
import io.slicewise.profile.Split;
import io.slicewise.sweep.LoadGenerators;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The limitations of a planned sweep, reported before it runs.
 *
 * @param needs by profile, the scheduler it waits for
 */
record PlanNotes(
    Experiment experiment, PlanOutline.Power power, Map<String, String> needs, boolean hostSeen) {
  /** From as many on, sessions are the replicates. */
  private static final int FEWEST_SESSIONS = 3;

  List<String> all() {
    List<String> notes = new ArrayList<>();
    ofTheDesign(notes);
    ofTheHost(notes);
    LoadGenerators.code(experiment).flatMap(AllowedPlans::note).ifPresent(notes::add);
    if (experiment.workload().loads() && !experiment.isOpen()) {
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
    } else if (power.restsOnNormality() && experiment.pairs().isEmpty()) {
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
    experiment.design().ifPresent(design -> ofTheSessions(design, notes));
    if (experiment.order() == Experiment.Order.EDGE) {
      notes.add(
          "the search measures the first number of guests, then those near the edge that it predicts,"
              + " up to three times as often where they are not decided; the list shows all that it"
              + " could begin with");
    } else if (experiment.order() != Experiment.Order.BLOCKS) {
      notes.add(
          "order as written: drift of the host cannot be distinguished from a difference between"
              + " profiles");
    }
  }

  private void ofTheSessions(SwitchbackDesign design, List<String> notes) {
    if (design.pairs().isPresent()) {
      if (design.pairs().get().observe()) {
        notes.add("it only observes: what 'Sets' and 'Send' show is sent without 'observe: true'");
      }
      StudyHours hours = design.pairs().get().hours();
      if (!hours.equals(StudyHours.ALWAYS)) {
        notes.add(
            "pairs run %s; the times are without what passes until then, which at-most counts"
                .formatted(hours));
      }
      ofTheWindow(design, notes);
      return;
    }
    if (design.sessions() < FEWEST_SESSIONS) {
      notes.add(
          "%s of a load: what a restart changes is not in the intervals; use at least %d"
              .formatted(Plural.of(design.sessions(), "session"), FEWEST_SESSIONS));
    }
    if (SessionPlan.boots(experiment).size() > 1) {
      notes.add(
          "profiles of different schedulers are in sessions of their own boot: their comparison"
              + " includes what differs between boots");
    }
    SessionPlan.boots(experiment).stream()
        .mapToInt(List::size)
        .filter(profiles -> design.blocks() % BlockOrders.square(profiles) != 0)
        .distinct()
        .forEach(
            profiles ->
                notes.add(
                    ("%d blocks of %d profiles are not balanced for carry-over; multiples of %d"
                            + " are")
                        .formatted(design.blocks(), profiles, BlockOrders.square(profiles))));
    ofTheWindow(design, notes);
  }

  private void ofTheWindow(SwitchbackDesign design, List<String> notes) {
    if (experiment.workload().loads()) {
      double seconds = design.window().toNanos() / 1e9;
      long p95 = new Percentile(95).samples();
      long p99 = new Percentile(99).samples();
      notes.add(
          Phrase.of(
              "a window has a p95 from %.0f requests/s on (%d samples), a p99 from %.0f/s (%d)",
              Math.ceil(p95 / seconds), p95, Math.ceil(p99 / seconds), p99));
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
    notes.addAll(Split.costs(experiment.profiles()));
    if (experiment.lab().isPresent()) {
      notes.add("results from the embedded lab do not apply to real hosts");
    }
  }

  private Duration firstStage() {
    return Plan.trialTime(experiment).multipliedBy(Plan.of(experiment).size());
  }

  private long schedulers() {
    return experiment.profiles().stream()
        .flatMap(profile -> profile.booted().stream())
        .distinct()
        .count();
  }
}
