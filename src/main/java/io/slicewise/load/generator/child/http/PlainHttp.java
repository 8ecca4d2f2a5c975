package io.slicewise.load.generator.child.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.jmeter.config.Arguments;
import org.apache.jmeter.config.ConfigTestElement;
import org.apache.jmeter.engine.util.CompoundVariable;
import org.apache.jmeter.modifiers.SampleTimeout;
import org.apache.jmeter.modifiers.UserParameters;
import org.apache.jmeter.processor.PreProcessor;
import org.apache.jmeter.protocol.http.sampler.HTTPSamplerBase;
import org.apache.jmeter.protocol.http.sampler.HTTPSamplerProxy;
import org.apache.jmeter.testelement.TestElement;
import org.apache.jmeter.testelement.property.JMeterProperty;
import org.apache.jmeter.testelement.property.PropertyIterator;
import org.apache.jmeter.threads.AbstractThreadGroup;
import org.apache.jmeter.util.JMeterUtils;
import org.apache.jorphan.collections.HashTree;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts {@link PlainSampler} in the place of a plan's HTTP requests. An element whose company may
 * notice the difference remains JMeter's own; what an element itself needs of JMeter's client is
 * decided by its first sample.
 */
public final class PlainHttp {
  /** The property that turns it off: {@code jmeter} leaves all elements as they are. */
  public static final String PROPERTY = "slicewise.http-client";

  private static final Logger LOG = LoggerFactory.getLogger(PlainHttp.class);
  private static final String JMETER = "org.apache.jmeter.";
  private static final String OWN = "io.slicewise.";
  private static final Set<String> CLIENTS = Set.of("", "HttpClient4", "HttpClient3.1");
  private static final Set<String> PROTOCOLS = Set.of("", "http", "https", "HTTP", "HTTPS");

  /** Elements that run the plan's own code. */
  private static final Pattern CODE =
      Pattern.compile(".*(?:JSR223|BeanShell|BSF|JavaSampler|JUnitSampler).*");

  private static final Pattern CODE_FUNCTION =
      Pattern.compile("\\$\\{\\s*__(?:groovy|BeanShell|javaScript|jexl2|jexl3)\\b.*\\bsampler\\b");

  /** Functions that have the same value for every user. */
  private static final Pattern OF_PROPERTIES =
      Pattern.compile("(?:[^$]|\\$\\{__(?:P|property)\\([^${}()]*\\)\\})*");

  private final List<TestElement> company;

  private PlainHttp(List<TestElement> company) {
    this.company = company;
  }

  /** Takes over the HTTP requests of a plan whose modules were resolved. */
  public static void takeOver(HashTree plan) {
    Optional<String> forbidden =
        JMeterUtils.getPropDefault(PROPERTY, "").equals("jmeter")
            ? Optional.of("the property " + PROPERTY)
            : PlainClient.forbidden();
    if (forbidden.isPresent()) {
      LOG.info("All HTTP requests are sent by JMeter's own client: {}", forbidden.get());
      return;
    }
    List<TestElement> common = new ArrayList<>();
    outsideOfGroups(plan, common);
    inGroups(plan, common);
  }

  private static void outsideOfGroups(HashTree tree, List<TestElement> found) {
    for (Object node : tree.list()) {
      if (node instanceof TestElement element && !(node instanceof AbstractThreadGroup)) {
        found.add(element);
        outsideOfGroups(tree.getTree(node), found);
      }
    }
  }

  private static void inGroups(HashTree tree, List<TestElement> common) {
    for (Object node : tree.list()) {
      HashTree below = tree.getTree(node);
      if (node instanceof AbstractThreadGroup group) {
        List<TestElement> company = new ArrayList<>(common);
        company.add(group);
        outsideOfGroups(below, company);
        new PlainHttp(company).replaceIn(below);
      } else {
        inGroups(below, common);
      }
    }
  }

  private void replaceIn(HashTree tree) {
    Optional<String> reason = keeps();
    boolean isConstant = company.stream().noneMatch(PlainHttp::changesRequests);
    for (Object node : new ArrayList<>(tree.list())) {
      replaceIn(tree.getTree(node), reason, isConstant);
      replace(tree, node, reason, isConstant);
    }
  }

  private static void replaceIn(HashTree tree, Optional<String> reason, boolean isConstant) {
    for (Object node : new ArrayList<>(tree.list())) {
      replaceIn(tree.getTree(node), reason, isConstant);
      replace(tree, node, reason, isConstant);
    }
  }

  private static void replace(
      HashTree tree, Object node, Optional<String> reason, boolean isConstant) {
    if (!(node instanceof HTTPSamplerProxy request)) {
      return;
    }
    if (reason.isPresent()) {
      LOG.info("HTTP request \"{}\" remains JMeter's own: {}", request.getName(), reason.get());
    } else {
      tree.replaceKey(node, PlainSampler.like(request, isConstant));
    }
  }

  /** Returns why the requests of this thread group must remain JMeter's own elements. */
  private Optional<String> keeps() {
    for (TestElement element : company) {
      String type = element.getClass().getName();
      if (!type.startsWith(JMETER) && !type.startsWith(OWN)) {
        return Optional.of("its thread group has " + type);
      }
      if (CODE.matcher(type).matches()
          && texts(element).anyMatch(text -> text.contains("HTTPSamplerProxy"))) {
        return Optional.of("a script of its thread group names JMeter's class");
      }
      if (!isOneOf(CLIENTS, element, HTTPSamplerBase.IMPLEMENTATION)) {
        return Optional.of("its thread group uses another client than HttpClient4");
      }
      if (!isOneOf(PROTOCOLS, element, HTTPSamplerBase.PROTOCOL)) {
        return Optional.of("its thread group uses another protocol than HTTP");
      }
    }
    return Optional.empty();
  }

  private static boolean isOneOf(Set<String> known, TestElement element, String property) {
    String text = element.getPropertyAsString(property);
    if (text.contains("${") && OF_PROPERTIES.matcher(text).matches()) {
      return known.contains(new CompoundVariable(text).execute());
    }
    return known.contains(text);
  }

  /** Whether an element may change a request of its thread group, or adds to it each time. */
  private static boolean changesRequests(TestElement element) {
    boolean modifies =
        element instanceof PreProcessor
            && !(element instanceof UserParameters)
            && !(element instanceof SampleTimeout);
    boolean adds =
        element instanceof ConfigTestElement
            && element.getProperty(HTTPSamplerBase.ARGUMENTS).getObjectValue()
                instanceof Arguments defaults
            && defaults.getArgumentCount() > 0;
    return modifies
        || adds
        || CODE.matcher(element.getClass().getName()).matches()
        || texts(element).anyMatch(text -> CODE_FUNCTION.matcher(text).find());
  }

  /** Returns the texts of an element and of what it contains. */
  private static Stream<String> texts(TestElement element) {
    List<String> texts = new ArrayList<>();
    PropertyIterator properties = element.propertyIterator();
    while (properties.hasNext()) {
      JMeterProperty property = properties.next();
      texts.add(String.valueOf(property.getStringValue()));
      if (property.getObjectValue() instanceof TestElement part) {
        texts(part).forEach(texts::add);
      }
    }
    return texts.stream();
  }
}
