package io.slicewise.workload;

import io.slicewise.base.units.EnumName;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.workload.PlanElements.Sampler;
import io.slicewise.workload.PlanElements.Transaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is counted of a user's own plan.
 *
 * @param labels the labels that make the total; empty for all
 */
record OwnCount(Kind kind, Set<String> labels) {
  /** The choices of an experiment. */
  enum Kind {
    REQUESTS,
    TRANSACTIONS,
    /** The total is of the requests; transactions have their own labels. */
    BOTH;

    @Override
    public String toString() {
      return EnumName.of(this);
    }
  }

  private static final int MOST_LABELS = 1000;
  private static final String COUNT = "count";
  private static final String LABELS = "labels";

  static final List<Option> OPTIONS =
      List.of(
          Option.withDefault(
              COUNT,
              new OptionKind.Word(Stream.of(Kind.values()).map(Kind::toString).toList()),
              Kind.BOTH.toString(),
              "what is counted if the plan has transaction controllers; with both, the total is of"
                  + " the requests and transactions have their own labels"),
          Option.optional(
              LABELS,
              new OptionKind.Many(new OptionKind.Text(), 1, MOST_LABELS),
              "the labels that make the total; default: all that are counted"));

  OwnCount {
    labels = Set.copyOf(labels);
  }

  /**
   * Reads the options and checks them against the plan.
   *
   * @throws SlicewiseException if the plan has no such label, or would count transactions twice
   */
  static OwnCount of(Path plan, Options options) {
    OwnCount count =
        new OwnCount(
            options
                .text(COUNT)
                .map(word -> Kind.valueOf(word.toUpperCase(Locale.ROOT)))
                .orElse(Kind.BOTH),
            new LinkedHashSet<>(options.many(LABELS, String.class)));
    count.fault(plan, PlanElements.read(plan)).ifPresent(OwnCount::refuse);
    return count;
  }

  private record Fault(String sentence, String hint) {}

  private static void refuse(Fault fault) {
    throw SlicewiseException.input(fault.sentence, fault.hint);
  }

  private Optional<Fault> fault(Path plan, PlanElements elements) {
    if (!elements.retired().isEmpty()) {
      PlanElements.Retired first = elements.retired().get(0);
      return Optional.of(
          new Fault(
              "'%s' of plan %s is a %s, and the interpreters of BSF and BeanShell are not shipped"
                  .formatted(first.name(), plan, first.type()),
              "use a JSR223 element with Groovy, or disable it in the plan"));
    }
    List<String> names = names(elements);
    if (kind == Kind.TRANSACTIONS && names.isEmpty() && elements.whole()) {
      return Optional.of(
          new Fault(
              "plan %s has no transaction controller, so 'count: transactions' counts nothing"
                  .formatted(plan),
              "use 'count: requests'"));
    }
    Optional<String> unknown =
        labels.stream()
            .filter(label -> elements.whole() && !PlanElements.mayHave(names.stream(), label))
            .findFirst();
    return unknown.isPresent()
        ? Optional.of(unknown(plan, unknown.get(), names))
        : twice(plan, elements);
  }

  private Fault unknown(Path plan, String label, List<String> names) {
    return new Fault(
        "label '%s' is not among the %s of plan %s".formatted(label, total(), plan),
        "valid 'labels' are: " + String.join(", ", names));
  }

  /** Finds a nested transaction, whose requests would be counted twice. */
  private Optional<Fault> twice(Path plan, PlanElements elements) {
    return elements.transactions().stream()
        .filter(inner -> kind == Kind.TRANSACTIONS && inner.inside().isPresent())
        .filter(inner -> inTotal(inner.name()) && inTotal(inner.inside().get()))
        .findFirst()
        .map(
            inner ->
                new Fault(
                    "transaction '%s' of plan %s is inside '%s', so both would count in the total"
                        .formatted(inner.name(), plan, inner.inside().get()),
                    "list the transactions that make the total in 'labels'"));
  }

  private boolean inTotal(String name) {
    return labels.isEmpty() || labels.contains(name);
  }

  private String total() {
    return (kind == Kind.TRANSACTIONS ? Kind.TRANSACTIONS : Kind.REQUESTS).toString();
  }

  /** The labels that may be in the total. */
  private List<String> names(PlanElements elements) {
    return (kind == Kind.TRANSACTIONS
            ? elements.transactions().stream().map(Transaction::name)
            : elements.samplers().stream().map(Sampler::name))
        .distinct()
        .toList();
  }

  /** Describes what is counted, in sentences; the first names the labels of the total. */
  List<String> describe(PlanElements elements) {
    List<String> sentences = new ArrayList<>();
    sentences.add(
        "counts the %s %s%s"
            .formatted(
                total(),
                parts(elements),
                labels.isEmpty() ? "; 'labels' selects among them" : ", selected by 'labels'"));
    if (kind == Kind.BOTH && !elements.transactions().isEmpty()) {
      sentences.add(
          "lists with their own labels the transactions "
              + elements.transactions().stream()
                  .map(Transaction::name)
                  .distinct()
                  .collect(Collectors.joining(", ")));
    }
    return sentences;
  }

  private String parts(PlanElements elements) {
    Stream<String> parts =
        kind == Kind.TRANSACTIONS
            ? elements.transactions().stream().map(Transaction::name).filter(this::inTotal)
            : elements.samplers().stream()
                .filter(sampler -> inTotal(sampler.name()))
                .map(Sampler::describe);
    return parts.distinct().collect(Collectors.joining(", "))
        + (elements.whole() ? "" : " and those of included files");
  }
}
