package io.slicewise.workload;

import io.slicewise.base.units.EnumName;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.XmlFile;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.load.jtl.ReductionOptions.Counted;
import io.slicewise.workload.WebServer.Probe;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.w3c.dom.Element;

/**
 * Any plan of the user. Its requirements are unknown, so nothing is set up, and its target only has
 * to answer.
 */
record OwnPlan(
    Optional<Path> plan, Optional<URI> target, Map<String, String> properties, OwnCount count)
    implements Workload {
  /** The generator's property that enables the requests inside parent samples. */
  private static final String REQUESTS_OF_PARENTS = "slicewise.requests-of-parents";

  static final class Type extends WorkloadType {
    Type() {
      super("plan", "A JMeter plan of your own.", "the guests that the plan loads");
    }

    @Override
    public Need plan() {
      return Need.MUST;
    }

    @Override
    public Need target() {
      return Need.MAY;
    }

    @Override
    public List<Option> options() {
      return OwnCount.OPTIONS;
    }

    @Override
    public List<String> counts(Path plan, Options options) {
      return OwnCount.of(plan, options).describe(PlanElements.read(plan));
    }

    @Override
    public Workload make(WorkloadRequest request) {
      Path plan =
          WorkloadRequest.readable(
              request
                  .plan()
                  .orElseThrow(
                      () -> WorkloadRequest.missing(name(), "plan: the path of a .jmx file")));
      Map<String, String> properties = new LinkedHashMap<>(request.propertiesWithTarget());
      properties.put(REQUESTS_OF_PARENTS, "true");
      return new OwnPlan(
          Optional.of(plan), request.target(), properties, OwnCount.of(plan, request.options()));
    }
  }

  OwnPlan {
    properties = Map.copyOf(properties);
  }

  @Override
  public void setUp() {
    // The user prepares what the plan needs.
  }

  @Override
  public Optional<String> complaint() {
    return target.flatMap(
        uri ->
            new Probe(uri)
                .complaint(
                    HttpRequest.newBuilder(uri),
                    answer ->
                        answer.statusCode() >= 500 || answer.statusCode() == 404
                            ? Optional.of("answers with status " + answer.statusCode())
                            : Optional.empty()));
  }

  @Override
  public void tearDown() {
    // Nothing was set up.
  }

  @Override
  public Counted counted() {
    return count.kind() == OwnCount.Kind.TRANSACTIONS ? Counted.TRANSACTIONS : Counted.REQUESTS;
  }

  @Override
  public boolean listsTransactions() {
    return count.kind() == OwnCount.Kind.BOTH;
  }

  @Override
  public Set<String> totalLabels() {
    return count.labels();
  }

  /** The pauses of a user's plan come from its own timers. */
  @Override
  public boolean pausesAreThinking() {
    return true;
  }

  /**
   * What is counted of a user's own plan.
   *
   * @param labels the labels that make the total; empty for all
   */
  private record OwnCount(Kind kind, Set<String> labels) {
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
              ? elements.transactions().stream().map(PlanElements.Transaction::name)
              : elements.samplers().stream().map(PlanElements.Sampler::name))
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
                    .map(PlanElements.Transaction::name)
                    .distinct()
                    .collect(Collectors.joining(", ")));
      }
      return sentences;
    }

    private String parts(PlanElements elements) {
      Stream<String> parts =
          kind == Kind.TRANSACTIONS
              ? elements.transactions().stream()
                  .map(PlanElements.Transaction::name)
                  .filter(this::inTotal)
              : elements.samplers().stream()
                  .filter(sampler -> inTotal(sampler.name()))
                  .map(PlanElements.Sampler::describe);
      return parts.distinct().collect(Collectors.joining(", "))
          + (elements.whole() ? "" : " and those of included files");
    }
  }

  /**
   * The enabled samplers and transaction controllers of a JMeter plan, read from its file.
   *
   * @param retired the enabled elements of any kind that need BSF or BeanShell
   * @param whole whether these are all; a plan that includes another file may have more
   */
  private record PlanElements(
      List<Sampler> samplers,
      List<Transaction> transactions,
      List<Retired> retired,
      boolean whole) {
    private static final String TREE = "hashTree";

    /**
     * A sampler.
     *
     * @param script the language of a sampler that runs a script and sends nothing itself
     */
    record Sampler(String name, Optional<String> script) {
      String describe() {
        return name + script.map(kind -> " (" + kind + ")").orElse("");
      }
    }

    /**
     * A transaction controller.
     *
     * @param inside the transaction around it
     */
    record Transaction(String name, Optional<String> inside) {}

    /** An element that needs an interpreter that is not included. */
    record Retired(String name, String type) {}

    PlanElements {
      retired = List.copyOf(retired);
      samplers = List.copyOf(samplers);
      transactions = List.copyOf(transactions);
    }

    /** Reads the plan; the result is empty if it cannot be read. */
    static PlanElements read(Path plan) {
      try {
        Walk walk = new Walk();
        walk.tree(XmlFile.read(plan).getDocumentElement(), Optional.empty());
        return new PlanElements(walk.samplers, walk.transactions, walk.retired, walk.whole);
      } catch (IOException fault) {
        // Loading the plan reports the error; its elements are unknown.
        return new PlanElements(List.of(), List.of(), List.of(), false);
      }
    }

    /**
     * Whether a label is that of an element, or may be, because some names are computed at run
     * time.
     */
    static boolean mayHave(Stream<String> names, String label) {
      return names.anyMatch(name -> name.equals(label) || name.contains("${"));
    }

    /** Walks the tree of elements, each followed by the tree of its children. */
    private static final class Walk {
      private final List<Sampler> samplers = new ArrayList<>();
      private final List<Transaction> transactions = new ArrayList<>();
      private final List<Retired> retired = new ArrayList<>();
      private boolean whole = true;

      void tree(Element tree, Optional<String> transaction) {
        Optional<String> around = transaction;
        boolean enabled = true;
        for (Element element : XmlFile.children(tree)) {
          if (!element.getTagName().equals(TREE)) {
            enabled = !element.getAttribute("enabled").equals("false");
            around = enabled ? note(element, transaction) : transaction;
          } else if (enabled) {
            tree(element, around);
          }
        }
      }

      /** Records an element; returns the transaction around its children. */
      private Optional<String> note(Element element, Optional<String> transaction) {
        String type = element.getAttribute("testclass");
        String name = element.getAttribute("testname");
        if (type.startsWith("BSF") || type.startsWith("BeanShell")) {
          retired.add(new Retired(name, type));
        }
        whole &= !type.equals("IncludeController");
        if (type.equals("TransactionController")) {
          transactions.add(new Transaction(name, transaction));
          return Optional.of(name);
        }
        if (type.contains("Sampler")) {
          samplers.add(new Sampler(name, script(type)));
        }
        return transaction;
      }

      private static Optional<String> script(String type) {
        return Stream.of("JSR223", "Debug").filter(type::startsWith).findFirst();
      }
    }
  }
}
