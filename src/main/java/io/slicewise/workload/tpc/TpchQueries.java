package io.slicewise.workload.tpc;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The queries of the plan, so that the checked queries are the measured ones. */
final class TpchQueries {
  /** {@code q01} to {@code q22}. */
  static final List<String> NAMES =
      IntStream.rangeClosed(1, 22).mapToObj(number -> (number < 10 ? "q0" : "q") + number).toList();

  private static final Pattern PROPERTY = Pattern.compile("\\$\\{__P\\(([^,)$]+),([^)$]*)\\)\\}");

  /** Matches a stream's own value followed by the shared default. */
  private static final Pattern OF_A_STREAM =
      Pattern.compile("\\$\\{__P\\([^,)$]+\\.\\$\\{__threadNum\\},(\\$\\{__P\\([^)]*\\)\\})\\)\\}");

  private TpchQueries() {}

  /**
   * Returns the SQL by query name.
   *
   * @param parameters instead of the plan's values, the same for every stream
   * @throws SlicewiseException if the plan cannot be read or lacks a query
   */
  static Map<String, String> read(Path plan, Map<String, String> parameters) {
    Map<String, String> queries = new TreeMap<>();
    NodeList samplers = parse(plan).getElementsByTagName("JDBCSampler");
    for (int at = 0; at < samplers.getLength(); at++) {
      Element sampler = (Element) samplers.item(at);
      if (NAMES.contains(sampler.getAttribute("testname"))) {
        queries.put(sampler.getAttribute("testname"), filledIn(query(sampler), parameters));
      }
    }
    if (!queries.keySet().containsAll(NAMES)) {
      throw SlicewiseException.input(
          "plan " + plan + " lacks some of the queries q01 to q22; it has " + queries.keySet(),
          "omit 'plan' to use the included one");
    }
    return queries;
  }

  private static String query(Element sampler) {
    NodeList properties = sampler.getElementsByTagName("stringProp");
    return IntStream.range(0, properties.getLength())
        .mapToObj(at -> (Element) properties.item(at))
        .filter(property -> property.getAttribute("name").equals("query"))
        .map(Element::getTextContent)
        .findFirst()
        .orElse("");
  }

  private static String filledIn(String query, Map<String, String> parameters) {
    String shared = OF_A_STREAM.matcher(query).replaceAll("$1");
    return PROPERTY
        .matcher(shared)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(parameters.getOrDefault(found.group(1), found.group(2))));
  }

  /**
   * Uses the JDK's own parser: with JMeter's parsers, a plan could make it load external resources.
   */
  private static Document parse(Path plan) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      DocumentBuilder builder = factory.newDocumentBuilder();
      builder.setErrorHandler(null);
      return builder.parse(plan.toFile());
    } catch (SAXException | IOException fault) {
      throw SlicewiseException.input(
          "plan " + plan + " cannot be read: " + FileFault.reason(fault), "", fault);
    } catch (ParserConfigurationException missing) {
      throw new IllegalStateException("every Java platform can refuse a document type", missing);
    }
  }
}
