package io.slicewise.workload;

import io.slicewise.base.units.XmlFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.w3c.dom.Element;

/**
 * The enabled samplers and transaction controllers of a JMeter plan, read from its file.
 *
 * @param retired the enabled elements of any kind that need BSF or BeanShell
 * @param whole whether these are all; a plan that includes another file may have more
 */
record PlanElements(
    List<Sampler> samplers, List<Transaction> transactions, List<Retired> retired, boolean whole) {
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
   * Whether a label is that of an element, or may be, because some names are computed at run time.
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
