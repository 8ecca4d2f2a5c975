package io.slicewise.load.generator;

import io.slicewise.base.units.InputFile;
import io.slicewise.base.units.Sha256;
import io.slicewise.base.units.Visible;
import io.slicewise.base.units.XmlFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.Text;

/**
 * Reads what in a plan runs code. An element counts as harmless if JMeter's own list has its name
 * and it is none of those that run code; everything else is named. JMeter creates an object of any
 * class that the file names, even for a disabled element.
 */
final class PlanCodeReader {
  static final String TREE = "hashTree";
  private static final String ROOT = "jmeterTestPlan";

  private static final Pattern CODE_ELEMENT =
      Pattern.compile(
          "(?:.*\\.)?(?:JSR223|BSF|BeanShell).*"
              + "|(?:.*\\.)?(?:SystemSampler|JavaSampler|JavaConfig|JavaTest|JUnitSampler"
              + "|AccessLogSampler|MongoScriptSampler|ReflectionThreadGroup)");

  private static final Pattern CODE_FUNCTION =
      Pattern.compile(
          "\\$\\{\\s*(__(?:groovy|jexl2|jexl3|javaScript|BeanShell|evalVar|eval|StringToFile))\\b");

  /** Properties that name scripts, classes or the names of elements. */
  private static final Pattern CODE_PROPERTY =
      Pattern.compile(
          "beanshell\\..*|jsr223\\..*|groovy\\..*|javascript\\..*|user\\.classpath|search_paths"
              + "|plugin_dependency_paths|classfinder\\..*|saveservice_properties"
              + "|upgrade_properties|includecontroller\\.prefix");

  /** Classes of values, which JMeter writes into plans. */
  private static final Set<String> VALUES =
      Set.of(
          "java.lang.String",
          "java.lang.Integer",
          "java.util.ArrayList",
          "java.util.LinkedList",
          "java.util.HashMap",
          "java.util.LinkedHashMap",
          "java.util.LinkedHashSet",
          "org.apache.jmeter.samplers.SampleSaveConfiguration");

  /** Properties that are written with fields, and these. */
  private static final Set<String> WITH_FIELDS = Set.of("objProp", "doubleProp", "FloatProperty");

  private static final Set<String> FIELDS = Set.of("name", "value", "savedValue");

  private static final Set<String> OWN = own();

  private final Path plan;
  private final Map<String, String> properties;
  private final Set<String> parts = new LinkedHashSet<>();

  /** By path, the checksum of each file that was read. */
  private final Map<Path, String> files = new TreeMap<>();

  private boolean loadable = true;

  PlanCodeReader(Path plan, Map<String, String> properties) {
    this.plan = plan;
    this.properties = new TreeMap<>(properties);
  }

  PlanCode read() throws IOException {
    read(plan);
    Map<String, String> settings = new TreeMap<>(properties);
    settings.keySet().removeIf(name -> !CODE_PROPERTY.matcher(name).matches());
    settings.keySet().forEach(name -> parts.add("property " + Visible.line(name)));
    String checksum =
        files.size() == 1 && settings.isEmpty()
            ? files.get(plan)
            : HexFormat.of().formatHex(Sha256.of(files.values() + " " + settings));
    return new PlanCode(plan, "plan " + plan.getFileName(), List.copyOf(parts), loadable, checksum);
  }

  private void read(Path file) throws IOException {
    if (files.containsKey(file)) {
      return;
    }
    Element root = XmlFile.read(file).getDocumentElement();
    if (!root.getTagName().equals(ROOT)) {
      throw new IOException("it is XML, but not a JMeter plan");
    }
    files.put(file, Sha256.of(file));
    tree(root, !isModular(root));
  }

  /** Whether a module controller may run what is disabled where it is written. */
  private static boolean isModular(Element root) {
    return root.getElementsByTagName("ModuleController").getLength() > 0;
  }

  /** Reads a tree of elements, each followed by the tree of its children. */
  private void tree(Element tree, boolean skipsDisabled) throws IOException {
    boolean enabled = true;
    for (Element element : XmlFile.children(tree)) {
      if (element.getTagName().equals(TREE)) {
        if (enabled) {
          tree(element, skipsDisabled);
        } else {
          classesBelow(element);
        }
        continue;
      }
      enabled = !skipsDisabled || !element.getAttribute("enabled").equals("false");
      classes(element, element);
      if (enabled) {
        inspect(element);
      }
    }
  }

  private void classesBelow(Element tree) {
    for (Element element : XmlFile.children(tree)) {
      if (element.getTagName().equals(TREE)) {
        classesBelow(element);
      } else {
        classes(element, element);
      }
    }
  }

  /** Notes classes that are not JMeter's own, in an element and its properties. */
  private void classes(Element owner, Element element) {
    foreignClasses(element)
        .forEach(
            name -> {
              loadable = false;
              parts.add("class %s in %s".formatted(Visible.line(name), called(owner)));
            });
    XmlFile.children(element).forEach(child -> classes(owner, child));
  }

  /** Returns the names of classes that are not JMeter's own, of an element or a property. */
  static Stream<String> foreignClasses(Element element) {
    return Stream.of(
            element.getTagName(),
            element.getAttribute("testclass"),
            element.getAttribute("elementType"),
            element.getAttribute("class"),
            element.getAttribute("resolves-to"))
        .filter(name -> !name.isEmpty() && !isOwn(element, name));
  }

  private static boolean isOwn(Element element, String name) {
    return OWN.contains(name)
        || VALUES.contains(name)
        || (name.equals(element.getTagName()) && isValueOf(element));
  }

  /** Whether the tag is the name of a field: of a saved property, or of what a listener saves. */
  private static boolean isValueOf(Element element) {
    return element.getParentNode() instanceof Element parent
        && (WITH_FIELDS.contains(parent.getTagName())
            ? FIELDS.contains(element.getTagName())
            : parent.getAttribute("class").endsWith("SampleSaveConfiguration"));
  }

  private void inspect(Element element) throws IOException {
    String type = type(element);
    boolean runs =
        CODE_ELEMENT.matcher(type).matches()
            || CODE_ELEMENT.matcher(element.getTagName()).matches();
    if (runs) {
      parts.add(called(element));
    }
    if (type.endsWith("IfController")
        && !text(element, "IfController.useExpression").equals("true")) {
      parts.add("JavaScript in " + called(element));
    }
    if (!text(element, "TestPlan.user_define_classpath").isBlank()) {
      parts.add("class path of " + called(element));
      runs = true;
    }
    // JMeter drops backslashes before it looks for functions.
    Matcher function = CODE_FUNCTION.matcher(everything(element).replace("\\", ""));
    while (function.find()) {
      parts.add("%s in %s".formatted(function.group(1), called(element)));
    }
    if (runs) {
      noteFiles(element);
    }
    if (type.endsWith("IncludeController")) {
      include(element);
    }
  }

  private void include(Element element) throws IOException {
    String name = text(element, "IncludeController.includepath").strip();
    Path file = resolved(name);
    if (properties.containsKey("includecontroller.prefix") || !Files.isRegularFile(file)) {
      parts.add("unknown file in " + called(element));
      loadable = false;
    } else {
      read(file);
    }
  }

  /** Adds the files that an element names to the checksum: a script that changes is another one. */
  private void noteFiles(Element element) throws IOException {
    for (String value : everything(element).split("[\n,]", -1)) {
      Path file = resolved(value.strip());
      if (!files.containsKey(file) && Files.isRegularFile(file)) {
        InputFile.requireRegular(file);
        files.put(file, Sha256.of(file));
      }
    }
  }

  private Path resolved(String name) {
    try {
      return plan.resolveSibling(name);
    } catch (InvalidPathException noPath) {
      return plan.resolveSibling("");
    }
  }

  static String called(Element element) {
    String type = type(element);
    return "%s '%s'"
        .formatted(
            Visible.line(type.substring(type.lastIndexOf('.') + 1)),
            Visible.line(element.getAttribute("testname")));
  }

  static String type(Element element) {
    String type = element.getAttribute("testclass");
    return type.isEmpty() ? element.getTagName() : type;
  }

  /** Returns the text of a property; of several of one name, all. */
  private static String text(Element element, String property) {
    return XmlFile.children(element).stream()
        .filter(child -> child.getAttribute("name").equals(property))
        .map(Node::getTextContent)
        .collect(Collectors.joining("\n"));
  }

  /** Returns the texts and attributes of an element and its properties, each on a line. */
  private static String everything(Element element) {
    StringBuilder all = new StringBuilder();
    collect(element, all);
    return all.toString();
  }

  private static void collect(Element element, StringBuilder all) {
    for (int i = 0; i < element.getAttributes().getLength(); i++) {
      all.append(element.getAttributes().item(i).getNodeValue()).append('\n');
    }
    for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Text text) {
        all.append(text.getData());
      }
    }
    all.append('\n');
    XmlFile.children(element).forEach(child -> collect(child, all));
  }

  /** Returns the names that JMeter gives its own classes in plans. */
  private static Set<String> own() {
    Properties names = new Properties();
    try (InputStream list =
        PlanCodeReader.class.getResourceAsStream("/bin/saveservice.properties")) {
      if (list != null) {
        names.load(list);
      }
    } catch (IOException unreadable) {
      names.clear();
    }
    Set<String> all = new LinkedHashSet<>(VALUES);
    names.stringPropertyNames().stream()
        .filter(key -> !key.startsWith("_"))
        .forEach(
            key -> {
              all.addAll(List.of(key.split(",")));
              all.add(names.getProperty(key));
            });
    return Set.copyOf(all);
  }
}
