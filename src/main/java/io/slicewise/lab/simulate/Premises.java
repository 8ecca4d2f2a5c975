package io.slicewise.lab.simulate;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.lab.sim.Demands;
import io.slicewise.lab.sim.Place;
import io.slicewise.lab.sim.Route;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The assumptions of a simulation, all stored in the run's {@code simulation.json}.
 *
 * @param route the visits of a request
 * @param demandsFrom the source of the demands, as a phrase
 */
public record Premises(HostModel host, Demands demands, Route route, String demandsFrom) {
  /** One sentence for the run's origin. */
  public String sentence() {
    return "service demands (%s a request) %s; host %s: %s, %s"
        .formatted(
            demandsText(),
            demandsFrom,
            host.source(),
            host.hypervisor(),
            Plural.of(host.pcpus(), "pCPU"));
  }

  private String demandsText() {
    List<String> words = new ArrayList<>();
    Arrays.stream(Place.values())
        .filter(place -> !demands.at(place).isZero())
        .forEach(
            place ->
                words.add(Phrase.of("%s %.2f", place.key(), demands.at(place).toNanos() / 1e6)));
    return words.stream().collect(Collectors.joining(", ", "", " ms"));
  }
}
