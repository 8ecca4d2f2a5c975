package io.slicewise.report;

import io.slicewise.experiment.Experiment;
import io.slicewise.run.LoadResult;
import io.slicewise.run.TrialResult;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What throughput and response times of a run are of, where readers cannot know: of a plan of one's
 * own, and of transactions.
 *
 * @param what {@code throughput}, {@code requests} or {@code transactions}
 * @param labels that make the total; empty where all there are make it
 */
record Counted(String what, List<String> labels) {
  private static final int MOST_SHOWN = 8;
  private static final String OWN_PLAN = "plan";
  private static final String REQUESTS = "requests";

  /** Of a run that does not say more. */
  static final Counted THROUGHPUT = new Counted("throughput", List.of());

  Counted {
    labels = List.copyOf(labels);
  }

  static Counted of(Experiment experiment, List<TrialResult> results) {
    List<LoadResult> loads = results.stream().flatMap(result -> result.load().stream()).toList();
    List<String> kinds = loads.stream().map(LoadResult::counts).distinct().toList();
    boolean own = experiment.workload().name().equals(OWN_PLAN);
    return kinds.size() == 1 && !kinds.get(0).isEmpty() && (own || !kinds.get(0).equals(REQUESTS))
        ? new Counted(kinds.get(0), own ? labels(experiment, loads, kinds.get(0)) : List.of())
        : THROUGHPUT;
  }

  private static List<String> labels(Experiment experiment, List<LoadResult> loads, String kind) {
    Optional<List<?>> chosen =
        Optional.ofNullable(experiment.workload().options().get("labels")).map(List.class::cast);
    return loads.stream()
        .flatMap(load -> load.labels().stream())
        .filter(label -> label.counts().equals(kind))
        .map(LoadResult::label)
        .filter(label -> chosen.map(labels -> labels.contains(label)).orElse(true))
        .distinct()
        .toList();
  }

  /** The head of a table's column of rates. */
  String rate() {
    return what + " /s";
  }

  /** How the table of the total begins its title. */
  String title() {
    return labels.isEmpty()
        ? "Throughput and response time"
        : "Throughput and response time of the %s %s".formatted(what, shown());
  }

  private String shown() {
    String first = labels.stream().limit(MOST_SHOWN).collect(Collectors.joining(", "));
    return labels.size() <= MOST_SHOWN
        ? first
        : "%s and %d more".formatted(first, labels.size() - MOST_SHOWN);
  }
}
