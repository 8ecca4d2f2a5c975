package io.slicewise.lab.virsh;

import io.slicewise.lab.libvirt.Definition;
import io.slicewise.lab.libvirt.LibvirtGuest;
import io.slicewise.lab.libvirt.SettingParameters.TuneParameter;
import io.slicewise.lab.virsh.VirshProgram.VirshCommand;
import io.slicewise.lab.virsh.VirshProgram.VirshFailure;
import io.slicewise.lab.virsh.VshArguments.VshOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code edit}: hands a guest's definition to an editor and takes what it leaves. Of the
 * definition, the part with scheduler parameters is written and read.
 */
final class EditCommand {
  private static final Pattern TUNED = Pattern.compile("(?s)<cputune>(.*)</cputune>");
  private static final Pattern VALUE = Pattern.compile("<([a-z_]+)>(-?\\d+)</\\1>");

  private EditCommand() {}

  static VirshCommand command() {
    return VirshCommand.of("edit", EditCommand::run, VshOption.domain());
  }

  private static void run(VirshSession session, VshArguments arguments)
      throws IOException, InterruptedException {
    LibvirtGuest guest = session.guest(arguments);
    Definition definition =
        guest.config().orElseThrow(() -> new VirshFailure("domain is transient: " + guest.name()));
    Path file = Files.createTempFile("virsh", ".xml");
    try {
      String text = text(guest.name(), definition);
      Files.writeString(file, text);
      edit(session.invocation().environment(), file);
      String edited = Files.readString(file);
      if (edited.equals(text)) {
        session.extra("Domain '%s' XML configuration not changed.\n", guest.name());
      } else {
        definition.tuning().replace(values(edited));
        session.extra("Domain '%s' XML configuration edited.\n", guest.name());
      }
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static void edit(Map<String, String> environment, Path file)
      throws IOException, InterruptedException {
    String editor = environment.getOrDefault("VISUAL", environment.getOrDefault("EDITOR", "false"));
    Process process =
        new ProcessBuilder("/bin/sh", "-c", editor + " " + file)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    process.getOutputStream().close();
    int status = process.waitFor();
    if (status != 0) {
      throw new VirshFailure(
          "internal error: Child process (%s %s) unexpected exit status %d"
              .formatted(editor, file, status));
    }
  }

  private static String text(String name, Definition definition) {
    StringBuilder xml = new StringBuilder("<domain type='kvm'>\n");
    xml.append("  <name>").append(name).append("</name>\n");
    xml.append("  <vcpu placement='static'>").append(definition.vcpus()).append("</vcpu>\n");
    xml.append("  <cputune>\n");
    for (TuneParameter parameter : TuneParameter.values()) {
      if (definition.tuning().has(parameter)) {
        xml.append(
            "    <%1$s>%2$d</%1$s>%n".formatted(tag(parameter), value(definition, parameter)));
      }
    }
    return xml.append("  </cputune>\n</domain>\n").toString();
  }

  private static long value(Definition definition, TuneParameter parameter) {
    return definition.tuning().get(parameter);
  }

  /** libvirt's elements have the names of the parameters without what belongs to every vCPU. */
  private static String tag(TuneParameter parameter) {
    return parameter.text().replaceFirst("^(cpu|vcpu)_", "");
  }

  private static Map<TuneParameter, Long> values(String xml) {
    Map<TuneParameter, Long> values = new EnumMap<>(TuneParameter.class);
    Matcher tuned = TUNED.matcher(xml);
    Matcher value = VALUE.matcher(tuned.find() ? tuned.group(1) : "");
    while (value.find()) {
      for (TuneParameter parameter : TuneParameter.values()) {
        if (tag(parameter).equals(value.group(1))) {
          values.put(parameter, Long.valueOf(value.group(2)));
        }
      }
    }
    return values;
  }
}
