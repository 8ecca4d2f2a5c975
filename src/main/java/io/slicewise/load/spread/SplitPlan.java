package io.slicewise.load.spread;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.XmlFile;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Reads a plan for several generators: its files, and what of it cannot be split. All complaints
 * are collected.
 */
public final class SplitPlan {
  private static final Pattern PROPERTY =
      Pattern.compile(
          "\\$\\{__(?:P\\(([^,)]+)(?:,([^)]*))?|property\\(([^,)]+)(?:,[^,)]*(?:,([^)]*))?)?)\\)}");
  private static final Pattern CSV_READ =
      Pattern.compile(
          "\\$\\{__CSVRead\\(\\s*(\\$\\{__(?:P|property)\\([^)]*\\)}|[^,*}]+)\\s*,\\s*([^)}]*)");
  private static final Pattern SHARED_COUNTER = Pattern.compile("\\$\\{__counter\\(\\s*(?i:false)");
  private static final String PRIVATE_KEY = "PRIVATE KEY-----";
  private static final int KEY_BYTES = 200;

  private final Path plan;
  private final Map<String, String> properties;
  private final SplitRules rules;
  private final List<String> complaints = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final Map<String, Path> copied = new TreeMap<>();
  private final Map<String, PlanParts.Rows> cut = new TreeMap<>();
  private final Map<String, Path> turned = new TreeMap<>();
  private final Map<String, String> renamed = new TreeMap<>();

  private SplitPlan(Path plan, Map<String, String> properties, SplitRules rules) {
    this.plan = plan;
    this.properties = properties;
    this.rules = rules;
  }

  /**
   * Returns what the plan has that cannot be split, and what is too little for so many users.
   *
   * @param loads numbers of users
   */
  public static SplitFindings findings(
      Path plan,
      Map<String, String> properties,
      SplitRules rules,
      List<GeneratorMachine> machines,
      List<Integer> loads) {
    SplitPlan split = read(plan, properties, rules);
    split.cut.forEach((name, rows) -> split.count(name, rows, machines, loads));
    return new SplitFindings(split.complaints, split.warnings);
  }

  /** Returns the faults for JMeter's servers, which have files of their own that nobody splits. */
  static List<String> faultsOfServers(Path plan, Map<String, String> properties, SplitRules rules) {
    SplitPlan split = read(plan, properties, rules);
    split.cut.keySet().stream()
        .map("each JMeter server reads all rows of its own copy of %s"::formatted)
        .forEach(split.complaints::add);
    return List.copyOf(split.complaints);
  }

  /**
   * Returns the plan's files.
   *
   * @throws SlicewiseException with all reasons why the plan cannot be split
   */
  static PlanParts parts(Path plan, Map<String, String> properties, SplitRules rules) {
    SplitPlan split = read(plan, properties, rules);
    new SplitFindings(split.complaints, List.of()).refuse(plan);
    return new PlanParts(split.copied, split.cut, split.turned, split.renamed);
  }

  private static SplitPlan read(Path plan, Map<String, String> properties, SplitRules rules) {
    SplitPlan split = new SplitPlan(plan, properties, rules);
    split.read();
    return split;
  }

  /** Notes the smallest load at which a generator gets fewer rows than it has users. */
  private void count(
      String name, PlanParts.Rows rows, List<GeneratorMachine> machines, List<Integer> loads) {
    try {
      for (int users : loads.stream().sorted().toList()) {
        List<Integer> parts =
            Shares.split(users, machines.stream().map(GeneratorMachine::share).toList());
        List<Integer> its = rows.split(parts);
        for (int place = 0; place < machines.size(); place++) {
          if (its.get(place) < parts.get(place)) {
            (rows.recycles() ? warnings : complaints)
                .add(
                    "at %d users, the %d of generator %s get %d of the %d rows of %s, %s"
                        .formatted(
                            users,
                            parts.get(place),
                            machines.get(place).name(),
                            its.get(place),
                            its.stream().mapToInt(Integer::intValue).sum(),
                            name,
                            rows.recycles()
                                ? "so some of them use the same rows"
                                : "and data set %s does not begin again".formatted(rows.set())));
            return;
          }
        }
      }
    } catch (IOException fault) {
      complaints.add("%s cannot be read: %s".formatted(name, FileFault.reason(fault)));
    }
  }

  private void read() {
    properties.forEach(this::noteFile);
    try {
      read(XmlFile.read(plan).getDocumentElement());
    } catch (IOException fault) {
      complaints.add("the plan cannot be read: " + FileFault.reason(fault));
    }
  }

  /** Reads enabled elements; what is below a disabled one is in the hash tree that follows it. */
  private void read(Element parent) {
    boolean enabled = true;
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (!(node instanceof Element element)) {
        continue;
      }
      if (element.getTagName().equals("hashTree")) {
        if (enabled) {
          read(element);
        }
        continue;
      }
      enabled = !element.getAttribute("enabled").equals("false");
      if (enabled) {
        texts(element);
        inspect(element);
      }
    }
  }

  private void texts(Element element) {
    if (element.getElementsByTagName("*").getLength() == 0) {
      text(element.getTextContent());
    }
    for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element child) {
        texts(child);
      }
    }
  }

  private void text(String text) {
    Matcher read = CSV_READ.matcher(text);
    while (read.find()) {
      String name = name(read.group(1));
      if (!name.isEmpty() && copied.containsKey(name)) {
        turned.put(name, copied.get(name));
      }
      if (read.group(2).strip().equals("next") && rules.splitsData()) {
        complaints.add(
            "users read %s row by row with __CSVRead, which cannot be split; use a CSV Data Set"
                .formatted(name));
      }
    }
    if (SHARED_COUNTER.matcher(text).find()) {
      refuse("a __counter of all users counts on each generator by itself");
    }
    if (text.length() < 512 && !text.isBlank() && text.indexOf('\n') < 0) {
      name(text.strip());
    }
  }

  private void inspect(Element element) {
    String type = element.getAttribute("testclass");
    String name = "'" + element.getAttribute("testname") + "'";
    switch (type) {
      case "ThreadGroup" -> users(element, name);
      case "SetupThreadGroup", "PostThreadGroup" ->
          refuse("thread group %s would run once on each generator".formatted(name));
      case "CSVDataSet" -> rows(element, name);
      case "CounterConfig" -> {
        if (!value(element, "CounterConfig.per_user").equals("true")) {
          refuse("counter %s counts on each generator by itself".formatted(name));
        }
      }
      case "ConstantThroughputTimer" -> {
        if (!List.of("0", "").contains(value(element, "calcMode"))) {
          refuse("timer %s paces all users of one generator, not of all".formatted(name));
        }
      }
      case "PreciseThroughputTimer" -> {
        if (!value(element, "throughput").contains("__P(rate")) {
          refuse(
              "timer %s has a rate of its own, not the property rate, which is split"
                  .formatted(name));
        }
      }
      case "SyncTimer" ->
          refuse("timer %s synchronizes only the users of one generator".formatted(name));
      case "CriticalSectionController" ->
          refuse("critical section %s excludes only users of one generator".formatted(name));
      case "ThroughputController" -> {
        if (value(element, "ThroughputController.style").equals("0")
            && !value(element, "ThroughputController.perThread").equals("true")) {
          refuse("controller %s limits executions on each generator by itself".formatted(name));
        }
      }
      default -> {
        if (type.toLowerCase(Locale.ROOT).contains("threadgroup")) {
          complaints.add("thread group %s is a %s, which cannot be split".formatted(name, type));
        }
      }
    }
  }

  private void users(Element group, String name) {
    String users = value(group, "ThreadGroup.num_threads");
    if (!users.contains("__P(users") && !users.contains("__property(users")) {
      complaints.add(
          "thread group %s has %s users, not the property users, so they cannot be split"
              .formatted(name, users));
    }
  }

  private void rows(Element set, String name) {
    if (!rules.splitsData() || value(set, "shareMode").endsWith(".thread")) {
      return;
    }
    String written = value(set, "filename");
    String file = name(written);
    if (file.isEmpty()) {
      complaints.add(
          "data set %s names '%s', which is no file relative to the plan, so its rows cannot be split"
              .formatted(name, written));
      return;
    }
    boolean header =
        value(set, "variableNames").isBlank() || value(set, "ignoreFirstLine").equals("true");
    boolean recycles = !value(set, "recycle").equals("false");
    cut.put(file, new PlanParts.Rows(copied.get(file), header, name, recycles));
  }

  private void refuse(String complaint) {
    if (!rules.each()) {
      complaints.add(complaint);
    }
  }

  /** Returns the text of a property of an element, whichever way it is written. */
  private static String value(Element element, String property) {
    for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element child) {
        if (child.getAttribute("name").equals(property)) {
          return child.getTextContent().strip();
        }
        if (child.getElementsByTagName("name").getLength() > 0
            && child.getElementsByTagName("name").item(0).getTextContent().equals(property)) {
          return child.getElementsByTagName("value").item(0).getTextContent().strip();
        }
      }
    }
    return "";
  }

  /**
   * Returns the name that a file has on the generators, and notes it as copied; empty if the text
   * names no file beside the plan or of a property.
   */
  private String name(String text) {
    Matcher property = PROPERTY.matcher(text);
    if (property.matches()) {
      String key = property.group(1) != null ? property.group(1) : property.group(3);
      String fallback = property.group(1) != null ? property.group(2) : property.group(4);
      if (renamed.containsKey(key.strip())) {
        return renamed.get(key.strip());
      }
      return name(properties.getOrDefault(key.strip(), fallback == null ? "" : fallback).strip());
    }
    if (text.isEmpty() || text.contains("${") || text.startsWith("/") || text.contains("\0")) {
      return "";
    }
    Path base = plan.toAbsolutePath().normalize().getParent();
    Path file = base.resolve(text).normalize();
    if (!file.startsWith(base) || file.equals(base) || !Files.isRegularFile(file)) {
      return "";
    }
    String name = base.relativize(file).toString();
    copied.put(name, file);
    return name;
  }

  /**
   * A property with the path of a file gets the path of its copy; private keys are never copied.
   */
  private void noteFile(String property, String value) {
    if (!value.startsWith("/") || !Files.isRegularFile(Path.of(value))) {
      return;
    }
    Path file = Path.of(value);
    if (!isPrivateKey(file)) {
      String name = "files/" + renamed.size() + "-" + file.getFileName();
      copied.put(name, file);
      renamed.put(property, name);
    }
  }

  private static boolean isPrivateKey(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      String head = new String(in.readNBytes(KEY_BYTES), StandardCharsets.ISO_8859_1);
      return head.contains(PRIVATE_KEY);
    } catch (IOException unreadable) {
      return true;
    }
  }

  /**
   * Splits a number by weights, by the largest remainder; the first of equal remainders comes
   * first.
   */
  public static final class Shares {
    private Shares() {}

    /** Returns the parts, in the order of the weights; their sum is {@code total}. */
    public static List<Integer> split(int total, List<Integer> weights) {
      long sum = weights.stream().mapToLong(Integer::intValue).sum();
      List<Integer> parts = new ArrayList<>();
      List<Long> remainders = new ArrayList<>();
      for (int weight : weights) {
        BigInteger[] share =
            BigInteger.valueOf(total)
                .multiply(BigInteger.valueOf(weight))
                .divideAndRemainder(BigInteger.valueOf(sum));
        parts.add(share[0].intValueExact());
        remainders.add(share[1].longValueExact());
      }
      int left = total - parts.stream().mapToInt(Integer::intValue).sum();
      IntStream.range(0, weights.size())
          .boxed()
          .sorted(Comparator.comparing(remainders::get, Comparator.reverseOrder()))
          .limit(left)
          .forEach(place -> parts.set(place, parts.get(place) + 1));
      return List.copyOf(parts);
    }
  }

  /**
   * What may differ between several generators and one, and where their samples stay.
   *
   * @param each whether each generator may have its own of what cannot be split
   * @param splitsData whether rows of data files are split
   * @param samplesStay whether samples stay on the generators, which count them, however few they
   *     are
   */
  public record SplitRules(boolean each, boolean splitsData, boolean samplesStay) {
    /** A single generator splits nothing. */
    static final SplitRules ALONE = new SplitRules(true, false);

    /** Rules under which samples are fetched unless they are too many. */
    public SplitRules(boolean each, boolean splitsData) {
      this(each, splitsData, false);
    }

    /** Returns the rules for a number of generators. */
    SplitRules among(int generators) {
      return generators == 1 ? new SplitRules(ALONE.each, ALONE.splitsData, samplesStay) : this;
    }
  }

  /**
   * What was found about a plan for several generators, one sentence each.
   *
   * @param faults why it cannot run on them
   * @param warnings what is different with them
   */
  public record SplitFindings(List<String> faults, List<String> warnings) {
    public static final String WAY_OUT =
        "change the plan or the loads, or allow each generator its own with 'each: true' or 'data:"
            + " same' below 'generators'";

    public SplitFindings {
      faults = List.copyOf(faults);
      warnings = List.copyOf(warnings);
    }

    /**
     * Refuses a plan that cannot be split.
     *
     * @throws SlicewiseException with all faults, if there are any
     */
    public void refuse(Path plan) {
      if (!faults.isEmpty()) {
        throw SlicewiseException.input(
            "plan %s cannot run on several generators: %s"
                .formatted(plan, String.join("; ", faults)),
            WAY_OUT);
      }
    }
  }
}
