package io.slicewise.jtl;

import io.slicewise.units.ExitCode;
import io.slicewise.units.SlicewiseException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Reads the samples of an XML file. */
final class XmlScanner {
  private final Ledger ledger;

  XmlScanner(Ledger ledger) {
    this.ledger = ledger;
  }

  void read(InputStream in) {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    long line = 1;
    try {
      XMLStreamReader reader = factory.createXMLStreamReader(in);
      int counted = 0;
      while (reader.hasNext()) {
        int event = reader.next();
        line = reader.getLocation().getLineNumber();
        if (event == XMLStreamConstants.DTD) {
          throw new SlicewiseException(
              ExitCode.NO_VALID_DATA, "a document type declaration is refused", "");
        }
        if (event == XMLStreamConstants.START_ELEMENT && isSample(reader)) {
          counted = sample(reader, counted, line);
        } else if (event == XMLStreamConstants.END_ELEMENT && isSample(reader) && counted > 0) {
          counted--;
        }
      }
    } catch (XMLStreamException cut) {
      ledger.damage().note(DamageKind.UNCLOSED, line);
    }
  }

  private static boolean isSample(XMLStreamReader reader) {
    return reader.getLocalName().equals("httpSample") || reader.getLocalName().equals("sample");
  }

  /** Returns how many elements are open from the request on that counts for those inside it. */
  private int sample(XMLStreamReader reader, int open, long line) {
    if (open > 0) {
      return open + 1;
    }
    Row row = new Row();
    row.clear();
    row.timeStamp = number(reader, "ts").orElse(-1L);
    row.elapsed = number(reader, "t").orElse(-1L).intValue();
    row.latency = number(reader, "lt").orElse(-1L).intValue();
    row.received = number(reader, "by").orElse(0L);
    row.sent = number(reader, "sby").orElse(0L);
    row.threads = number(reader, "na").orElse(-1L).intValue();
    row.success = !"false".equals(reader.getAttributeValue(null, "s"));
    row.transaction = text(reader, "rm").startsWith("Number of samples in transaction");
    byte[] label = text(reader, "lb").getBytes(StandardCharsets.UTF_8);
    byte[] both = (text(reader, "lb") + text(reader, "rc")).getBytes(StandardCharsets.UTF_8);
    row.bytes = both;
    row.labelEnd = label.length;
    row.codeStart = label.length;
    row.codeEnd = both.length;
    ledger.add(row, line);
    return row.transaction ? 0 : 1;
  }

  private static Optional<Long> number(XMLStreamReader reader, String attribute) {
    return Optional.ofNullable(reader.getAttributeValue(null, attribute)).map(Long::parseLong);
  }

  private static String text(XMLStreamReader reader, String attribute) {
    return Optional.ofNullable(reader.getAttributeValue(null, attribute)).orElse("");
  }
}
