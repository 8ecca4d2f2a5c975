package io.slicewise.report;

import io.slicewise.experiment.Experiment;
import io.slicewise.run.LoadResult;
import io.slicewise.run.TrialResult;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What throughput and response times count: relevant for custom plans and transactions.
 *
 * @param what {@code throughput}, {@code requests} or {@code transactions}
 * @param labels included in the total; empty if all are
 */
record Counted(String what, List<String> labels) {
  private static final int MOST_SHOWN = 8;
  private static final String OWN_PLAN = "plan";
  private static final String REQUESTS = "requests";

  /** The default. */
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

  /** Returns the heading of the column of rates. */
  String rate() {
    return what + " /s";
  }

  /** Returns the beginning of the total table's title. */
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
