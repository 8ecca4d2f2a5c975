package io.slicewise.load.generator;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.Visible;
import io.slicewise.base.units.XmlFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.w3c.dom.Element;

/**
 * What ends a plan's users before a load is over, and what the plan lacks to start them: read from
 * its file, nothing of it runs. What is computed while the plan runs is not known.
 *
 * @param ends a sentence for each element that ends users
 * @param missing a sentence for each file or class that is not there
 */
public record PlanNeeds(List<String> ends, List<String> missing) {
  /** The way out for a plan that ends by itself. */
  public static final String WAY_OUT =
      "set the loop count to Infinite and the duration to ${__P(duration,60)}; Slicewise ends the"
          + " load";

  private static final Pattern PROPERTY =
      Pattern.compile(
          "\\$\\{__(?:P\\(([^,)]+)(?:,([^)]*))?|property\\(([^,)]+)(?:,[^,)]*(?:,([^)]*))?)?)\\)}");

  /** What Slicewise sets, to values that are enough. */
  private static final Set<String> SET = Set.of("users", "ramp", "duration");

  /** What Slicewise sets whatever is given. */
  private static final Set<String> FIXED = Set.of("users", "ramp");

  public PlanNeeds {
    ends = List.copyOf(ends);
    missing = List.copyOf(missing);
  }

  /**
   * Reads a plan; a plan that cannot be read needs nothing, because loading it reports that.
   *
   * @param given JMeter properties of the experiment
   * @param load from its start to the end of the last measured window
   */
  public static PlanNeeds of(Path plan, Map<String, String> given, Duration load) {
    Walk walk = new Walk(plan, given, load);
    try {
      walk.tree(XmlFile.read(plan).getDocumentElement(), true);
    } catch (IOException unreadable) {
      return new PlanNeeds(List.of(), List.of());
    }
    return new PlanNeeds(List.copyOf(walk.ends), List.copyOf(walk.missing));
  }

  private static final class Walk {
    private final Path plan;
    private final Map<String, String> given;
    private final Duration load;
    private final Set<String> ends = new LinkedHashSet<>();
    private final Set<String> missing = new LinkedHashSet<>();

    Walk(Path plan, Map<String, String> given, Duration load) {
      this.plan = plan;
      this.given = given;
      this.load = load;
    }

    /** Reads elements, each followed by the tree of its children; classes of disabled ones, too. */
    void tree(Element tree, boolean enabled) {
      boolean on = enabled;
      for (Element element : XmlFile.children(tree)) {
        if (element.getTagName().equals(PlanCodeReader.TREE)) {
          tree(element, on);
        } else {
          on = enabled && !element.getAttribute("enabled").equals("false");
          classes(element, element);
          if (on) {
            inspect(element);
          }
        }
      }
    }

    private void classes(Element owner, Element element) {
      PlanCodeReader.foreignClasses(element)
          .filter(name -> !isThere(name))
          .forEach(
              name ->
                  missing.add(
                      "%s needs the class %s, which is not part of JMeter (a plug-in's jar is missing)"
                          .formatted(called(owner), Visible.line(name))));
      XmlFile.children(element).forEach(child -> classes(owner, child));
    }

    private static boolean isThere(String name) {
      try {
        Class.forName(name, false, PlanNeeds.class.getClassLoader());
        return true;
      } catch (ClassNotFoundException | LinkageError without) {
        return false;
      }
    }

    private void inspect(Element element) {
      switch (PlanCodeReader.type(element).replaceFirst(".*\\.", "")) {
        case "ThreadGroup" -> group(element);
        case "CSVDataSet" -> data(element);
        case "IncludeController" ->
            file(element, value(element, "IncludeController.includepath"), "includes");
        default -> {}
      }
    }

    private void group(Element group) {
      number(value(group, "LoopController.loops"))
          .filter(passes -> passes >= 0)
          .filter(any -> !value(group, "LoopController.continue_forever").equals("true"))
          .ifPresent(
              passes ->
                  ends.add(
                      "%s ends each user after %s"
                          .formatted(called(group), passes == 1 ? "1 pass" : passes + " passes")));
      if (value(group, "ThreadGroup.scheduler").equals("true")) {
        number(value(group, "ThreadGroup.duration"))
            .map(seconds -> number(value(group, "ThreadGroup.delay")).orElse(0L) + seconds)
            .filter(seconds -> load.compareTo(Duration.ofSeconds(seconds)) > 0)
            .ifPresent(
                seconds ->
                    ends.add(
                        "%s ends its users after %d s, and a load may take %s"
                            .formatted(called(group), seconds, DurationText.of(load))));
      }
    }

    private void data(Element set) {
      file(set, value(set, "filename"), "reads");
      if (value(set, "stopThread").equals("true") && value(set, "recycle").equals("false")) {
        ends.add(called(set) + " ends its users after the last row");
      }
    }

    private void file(Element element, String name, String verb) {
      try {
        if (!name.isEmpty() && !name.contains("${") && !Files.exists(plan.resolveSibling(name))) {
          missing.add(
              "%s %s %s, which is not there".formatted(called(element), verb, Visible.line(name)));
        }
      } catch (InvalidPathException noPath) {
        missing.add("%s %s %s, which is no path".formatted(called(element), verb, name));
      }
    }

    private static Optional<Long> number(String text) {
      return Optional.of(text).filter(one -> one.matches("-?\\d{1,9}")).map(Long::valueOf);
    }

    /**
     * Returns a property of an element, or of one inside of it, with JMeter properties resolved.
     */
    private String value(Element element, String property) {
      List<String> found = new ArrayList<>();
      collect(element, property, found);
      Matcher reads = PROPERTY.matcher(found.isEmpty() ? "" : found.get(0).strip());
      return reads.replaceAll(
          read -> {
            boolean brief = read.group(1) != null;
            String name = read.group(brief ? 1 : 3).strip();
            String usual = brief && read.group(2) == null ? "1" : read.group(brief ? 2 : 4);
            Optional<String> own =
                Optional.ofNullable(FIXED.contains(name) ? null : given.get(name));
            String value = own.orElse(SET.contains(name) ? null : usual);
            return Matcher.quoteReplacement(value == null ? read.group() : value.strip());
          });
    }

    private static void collect(Element element, String property, List<String> found) {
      for (Element child : XmlFile.children(element)) {
        if (child.getAttribute("name").equals(property)) {
          found.add(child.getTextContent());
        }
        collect(child, property, found);
      }
    }

    private static String called(Element element) {
      return PlanCodeReader.called(element);
    }
  }

  /** Returns all sentences about ends as one; empty if nothing ends users. */
  public Optional<String> endsByItself() {
    return ends.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", ends));
  }
}
