package io.slicewise.base.units;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/**
 * Reads XML that others wrote: UTF-8 whatever its declaration says, without a document type, at
 * most 1,000 elements deep. Faults name a place and quote nothing of the file.
 */
public final class XmlFile {
  private static final String NO_DOCTYPE = "http://apache.org/xml/features/disallow-doctype-decl";
  private static final String DEPTH = "jdk.xml.maxElementDepth";
  private static final String MOST_DEEP = "1000";

  private XmlFile() {}

  /**
   * Reads a document.
   *
   * @throws IOException if it cannot be read or is not such XML; the message is a clause
   */
  public static Document read(Path file) throws IOException {
    String text = InputFile.text(file, InputFile.LISTS);
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
      factory.setFeature(NO_DOCTYPE, true);
      factory.setAttribute(DEPTH, MOST_DEEP);
      var builder = factory.newDocumentBuilder();
      builder.setErrorHandler(null); // which prints nothing
      return builder.parse(new InputSource(new StringReader(text)));
    } catch (SAXParseException fault) {
      throw new IOException(
          "it is not the XML expected here, from line " + fault.getLineNumber(), fault);
    } catch (SAXException | ParserConfigurationException fault) {
      throw new IOException("it is not the XML expected here", fault);
    }
  }

  /** Returns the elements directly inside another, in their order. */
  public static List<Element> children(Element parent) {
    List<Element> children = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element) {
        children.add(element);
      }
    }
    return children;
  }
}
