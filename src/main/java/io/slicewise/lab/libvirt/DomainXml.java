package io.slicewise.lab.libvirt;

import java.io.IOException;
import java.io.StringReader;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/** Writes and reads a guest's XML, with the elements of libvirt 9.0 that this lab's guests use. */
public final class DomainXml {
  private DomainXml() {}

  /** Returns a guest's {@code dumpxml}, either as it runs or as it is configured. */
  public static String of(LibvirtGuest guest, boolean inactive) {
    Optional<Life> life = inactive ? Optional.empty() : guest.life();
    Definition definition = inactive ? guest.inactive() : guest.current();
    StringBuilder xml = new StringBuilder("<domain type='qemu'");
    life.ifPresent(now -> xml.append(" id='").append(now.id()).append("'"));
    xml.append(" xmlns:qemu='http://libvirt.org/schemas/domain/qemu/1.0'>\n");
    element(xml, "name", escaped(guest.name()));
    element(xml, "uuid", guest.uuid());
    xml.append("  <memory unit='KiB'>").append(definition.memoryKib()).append("</memory>\n");
    xml.append("  <currentMemory unit='KiB'>")
        .append(definition.memoryKib())
        .append("</currentMemory>\n");
    xml.append("  <vcpu placement='static'");
    if (definition.vcpus() < definition.most()) {
      xml.append(" current='").append(definition.vcpus()).append("'");
    }
    xml.append(">").append(definition.most()).append("</vcpu>\n");
    if (definition.iothreads() > 0) {
      element(xml, "iothreads", String.valueOf(definition.iothreads()));
    }
    xml.append(cputune(definition));
    if (life.isPresent()) {
      xml.append("  <resource>\n    <partition>/machine</partition>\n  </resource>\n");
    }
    return xml.append(
            """
              <os>
                <type arch='x86_64' machine='pc-i440fx-7.2'>hvm</type>
                <kernel>/var/lib/libvirt/boot/vmlinuz</kernel>
                <initrd>/var/lib/libvirt/boot/initrd.gz</initrd>
                <cmdline>console=ttyS0 quiet mitigations=off</cmdline>
                <boot dev='hd'/>
              </os>
              <features>
                <acpi/>
              </features>
              <cpu mode='custom' match='exact' check='none'>
                <model fallback='forbid'>qemu64</model>
              </cpu>
              <clock offset='utc'/>
              <on_poweroff>destroy</on_poweroff>
              <on_reboot>restart</on_reboot>
              <on_crash>preserve</on_crash>
              <devices>
                <emulator>/usr/bin/qemu-system-x86_64</emulator>
                <controller type='usb' index='0' model='none'/>
                <controller type='pci' index='0' model='pci-root'/>
                <memballoon model='none'/>
              </devices>
            </domain>
            """)
        .toString();
  }

  private static void element(StringBuilder xml, String name, String text) {
    xml.append("  <%1$s>%2$s</%1$s>%n".formatted(name, text));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** Returns the {@code cputune} element, or an empty text if nothing was ever set. */
  private static String cputune(Definition definition) {
    StringBuilder tune = new StringBuilder();
    for (TuneParameter parameter :
        new TuneParameter[] {
          TuneParameter.CPU_SHARES,
          TuneParameter.VCPU_PERIOD,
          TuneParameter.VCPU_QUOTA,
          TuneParameter.GLOBAL_PERIOD,
          TuneParameter.GLOBAL_QUOTA,
          TuneParameter.EMULATOR_PERIOD,
          TuneParameter.EMULATOR_QUOTA,
          TuneParameter.IOTHREAD_PERIOD,
          TuneParameter.IOTHREAD_QUOTA
        }) {
      if (definition.tuning().has(parameter)) {
        tune.append(
            "    <%1$s>%2$d</%1$s>%n"
                .formatted(parameter.element(), definition.tuning().get(parameter)));
      }
    }
    for (int vcpu = 0; vcpu < definition.most(); vcpu++) {
      if (definition.pin(vcpu).isPresent()) {
        tune.append(
            "    <vcpupin vcpu='%d' cpuset='%s'/>%n"
                .formatted(vcpu, definition.pin(vcpu).orElseThrow()));
      }
    }
    definition
        .emulatorPin()
        .ifPresent(on -> tune.append("    <emulatorpin cpuset='%s'/>%n".formatted(on)));
    for (int number = 1; number <= definition.iothreads(); number++) {
      if (definition.iothreadPin(number).isPresent()) {
        tune.append(
            "    <iothreadpin iothread='%d' cpuset='%s'/>%n"
                .formatted(number, definition.iothreadPin(number).orElseThrow()));
      }
    }
    return tune.isEmpty() ? "" : "  <cputune>\n" + tune + "  </cputune>\n";
  }

  /**
   * The contents of an XML file.
   *
   * @param uuid the UUID, or empty if the file has none
   */
  public record Read(String name, String uuid, Definition definition) {}

  /** Reads a guest's XML: names, numbers and tuning. All other elements are ignored. */
  public static Read read(String text) {
    Document document = parsed(text);
    String name =
        text(document, "name")
            .orElseThrow(() -> new LibvirtError("XML error: missing domain name information"));
    int most = (int) number(document, "vcpu", 1);
    Definition definition =
        new Definition(
            online(document, most),
            most,
            (int) number(document, "iothreads", 0),
            memoryKib(document),
            tuning(document));
    pins(document, definition);
    return new Read(name, text(document, "uuid").orElse(""), definition);
  }

  private static int online(Document document, int most) {
    NodeList elements = document.getElementsByTagName("vcpu");
    String current =
        elements.getLength() == 0
            ? ""
            : ((org.w3c.dom.Element) elements.item(0)).getAttribute("current");
    return current.isEmpty() ? most : Integer.parseInt(current);
  }

  private static long memoryKib(Document document) {
    long memory = number(document, "memory", 98304);
    NodeList elements = document.getElementsByTagName("memory");
    String unit =
        elements.getLength() == 0
            ? ""
            : ((org.w3c.dom.Element) elements.item(0)).getAttribute("unit");
    return unit.equals("MiB") ? memory * 1024 : memory;
  }

  private static CpuTune tuning(Document document) {
    CpuTune tuning = new CpuTune();
    for (TuneParameter parameter : TuneParameter.values()) {
      text(document, parameter.element())
          .ifPresent(value -> tuning.set(parameter, Long.parseLong(value)));
    }
    return tuning;
  }

  private static void pins(Document document, Definition definition) {
    NodeList pins = document.getElementsByTagName("vcpupin");
    for (int at = 0; at < pins.getLength(); at++) {
      org.w3c.dom.Element pin = (org.w3c.dom.Element) pins.item(at);
      int vcpu = Integer.parseInt(pin.getAttribute("vcpu"));
      if (vcpu < definition.most()) {
        definition.pin(vcpu, Optional.of(pin.getAttribute("cpuset")));
      }
    }
    NodeList emulator = document.getElementsByTagName("emulatorpin");
    if (emulator.getLength() > 0) {
      definition.pinEmulator(
          Optional.of(((org.w3c.dom.Element) emulator.item(0)).getAttribute("cpuset")));
    }
  }

  private static Optional<String> text(Document document, String name) {
    NodeList elements = document.getElementsByTagName(name);
    return elements.getLength() == 0
        ? Optional.empty()
        : Optional.of(elements.item(0).getTextContent().strip());
  }

  private static long number(Document document, String name, long otherwise) {
    try {
      return text(document, name).map(Long::parseLong).orElse(otherwise);
    } catch (NumberFormatException fault) {
      throw new LibvirtError("XML error: Invalid value for element '" + name + "'");
    }
  }

  private static Document parsed(String text) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      var builder = factory.newDocumentBuilder();
      builder.setErrorHandler(new DefaultHandler());
      return builder.parse(new InputSource(new StringReader(text)));
    } catch (ParserConfigurationException | SAXException | IOException fault) {
      throw new LibvirtError("(domain_definition):1: " + fault.getMessage());
    }
  }
}
