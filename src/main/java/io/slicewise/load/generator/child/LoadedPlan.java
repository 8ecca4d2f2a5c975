package io.slicewise.load.generator.child;

import io.slicewise.base.units.FileFault;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.jmeter.JMeter;
import org.apache.jmeter.control.ReplaceableController;
import org.apache.jmeter.exceptions.IllegalUserActionException;
import org.apache.jmeter.gui.tree.JMeterTreeModel;
import org.apache.jmeter.gui.tree.JMeterTreeNode;
import org.apache.jmeter.reporters.ResultCollector;
import org.apache.jmeter.reporters.ResultSaver;
import org.apache.jmeter.reporters.Summariser;
import org.apache.jmeter.save.SaveService;
import org.apache.jmeter.services.FileServer;
import org.apache.jmeter.testelement.TestPlan;
import org.apache.jmeter.threads.AbstractThreadGroup;
import org.apache.jmeter.visualizers.backend.BackendListener;
import org.apache.jorphan.collections.HashTree;
import org.apache.jorphan.collections.SearchByClass;

/**
 * Reads a plan as the JMeter command line would: module and include controllers resolved, disabled
 * elements dropped. Listeners that write or send results are dropped as well: they would append to
 * other runs' files and slow the generator.
 */
final class LoadedPlan {
  /** Reports in one sentence why a plan cannot run. */
  static final class Fault extends Exception {
    private static final long serialVersionUID = 1L;

    Fault(String sentence, Throwable cause) {
      super(sentence, cause);
    }
  }

  private LoadedPlan() {}

  /** The tree to run, with the listeners on its test plan, called in their order. */
  static HashTree load(Path plan, List<?> listeners) throws Fault {
    if (!Files.isReadable(plan)) {
      throw new Fault("plan " + plan + " does not exist or cannot be read", null);
    }
    HashTree tree = JMeter.convertSubTree(resolved(plan, read(plan)), true);
    dropWriters(tree);
    if (found(tree, AbstractThreadGroup.class).isEmpty()) {
      throw new Fault(
          "plan " + plan + " has no enabled thread group, so it would generate no load", null);
    }
    TestPlan root = found(tree, TestPlan.class).iterator().next();
    tree.getTree(root).add(listeners);
    return tree;
  }

  private static HashTree read(Path plan) throws Fault {
    try {
      File file = plan.toAbsolutePath().toFile();
      FileServer.getFileServer().setBaseForScript(file);
      HashTree tree = SaveService.loadTree(file);
      if (found(tree, TestPlan.class).isEmpty()) {
        throw new Fault("plan " + plan + " contains no test plan", null);
      }
      return tree;
    } catch (IOException | RuntimeException | LinkageError fault) {
      throw new Fault("plan " + plan + " cannot be loaded: " + reason(fault), fault);
    }
  }

  /**
   * Resolves module and include controllers, which look up their targets in a tree model, as in the
   * GUI.
   */
  @SuppressWarnings("deprecation")
  private static HashTree resolved(Path plan, HashTree tree) throws Fault {
    JMeterTreeModel model = new JMeterTreeModel(new Object());
    JMeterTreeNode root = (JMeterTreeNode) model.getRoot();
    try {
      model.addSubTree(tree, root);
      for (ReplaceableController controller : found(tree, ReplaceableController.class)) {
        controller.resolveReplacementSubTree(root);
      }
    } catch (IllegalUserActionException | RuntimeException fault) {
      throw new Fault("plan " + plan + " cannot be assembled: " + reason(fault), fault);
    }
    return tree;
  }

  private static void dropWriters(HashTree tree) {
    for (Object element : new ArrayList<>(tree.list())) {
      if (element instanceof ResultCollector
          || element instanceof ResultSaver
          || element instanceof Summariser
          || element instanceof BackendListener) {
        tree.remove(element);
      } else {
        dropWriters(tree.getTree(element));
      }
    }
  }

  private static <T> Collection<T> found(HashTree tree, Class<T> type) {
    SearchByClass<T> search = new SearchByClass<>(type);
    tree.traverse(search);
    return List.copyOf(search.getSearchResults());
  }

  /** The innermost reason, on one line: XStream wraps it several times and adds a table. */
  private static String reason(Throwable fault) {
    Throwable cause = fault;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String text = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    if (cause.getClass().getSimpleName().equals("CannotResolveClassException")) {
      return "it needs " + text + ", which is not part of JMeter (a plugin's jar is missing)";
    }
    return text.isBlank() ? FileFault.reason(cause) : text;
  }
}
