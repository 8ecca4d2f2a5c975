package io.slicewise.lab.simulate;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.lab.sim.Demands;
import io.slicewise.lab.sim.Demands.Place;
import io.slicewise.lab.sim.WebApplicationModel.Route;
import io.slicewise.lab.simulate.TrialModel.OwnLoads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The assumptions of a simulation, all stored in the run's {@code simulation.json}.
 *
 * @param route the visits of a request
 * @param demandsFrom the source of the demands, as a phrase
 * @param ownLoad what domains do without a request, by name: the mean time blocked for each unit of
 *     CPU time; 0 for one that computes endlessly
 */
public record Premises(
    HostModel host, Demands demands, Route route, String demandsFrom, Map<String, Double> ownLoad) {
  public Premises {
    ownLoad = Map.copyOf(new TreeMap<>(ownLoad));
  }

  /** Assumptions of domains that only serve requests. */
  public Premises(HostModel host, Demands demands, Route route, String demandsFrom) {
    this(host, demands, route, demandsFrom, Map.of());
  }

  /** One sentence for the run's origin. */
  public String sentence() {
    return "%s %s; host %s: %s, %s"
        .formatted(
            Stream.of(demandsText(), OwnLoads.text(ownLoad))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(" and ")),
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
    return words.isEmpty() ? "" : "service demands (" + String.join(", ", words) + " ms a request)";
  }
}
