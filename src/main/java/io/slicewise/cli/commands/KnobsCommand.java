package io.slicewise.cli.commands;

import io.slicewise.cli.lab.EmbeddedHost;
import io.slicewise.cli.options.OutputOptions;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.Terminal;
import io.slicewise.experiment.HostSpec;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.Hypervisors;
import io.slicewise.host.Knob;
import io.slicewise.host.Rival;
import io.slicewise.report.table.TextColumns;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.sweep.guard.HostShells;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code slicewise knobs HOST}: lists what can be set on a host. */
@Command(
    name = "knobs",
    mixinStandardHelpOptions = true,
    description = {
      "Lists what can be set on a host: value now, range, scope, live or at boot, when it is lost,"
          + " and the tool. Changes nothing."
    })
public final class KnobsCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "HOST",
      description =
          "The host's address, localhost for this machine, or an experiment file with a host or a"
              + " lab.")
  private String host;

  @Option(
      names = "--hypervisor",
      paramLabel = "NAME",
      description = "xen, libvirt or groups (default: the one that the host has).")
  private Optional<String> hypervisor = Optional.empty();

  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    if (!Files.isRegularFile(Path.of(host))) {
      print(HostSpec.of(host, hypervisor, false));
      return ExitCode.OK.code();
    }
    try (EmbeddedHost embedded = EmbeddedHost.toLookAt(EmbeddedHost.read(Path.of(host)))) {
      print(embedded.experiment().host().orElseThrow());
    }
    return ExitCode.OK.code();
  }

  private void print(HostSpec spec) {
    try (RemoteShell shell = HostShells.open(spec)) {
      Hypervisor found = HostShells.hypervisor(shell, spec);
      List<Rival> rivals = Rival.on(shell);
      List<Knob> knobs =
          Knob.of(Hypervisors.withKernel(found, shell, spec.sudo())).stream()
              .map(knob -> knob.among(rivals))
              .toList();
      output.print(knobs, () -> lines(knobs));
    }
  }

  private static List<String> row(List<String> cells, String last, boolean with) {
    return with ? Stream.concat(cells.stream(), Stream.of(last)).toList() : cells;
  }

  private static List<String> lines(List<Knob> knobs) {
    if (knobs.isEmpty()) {
      return List.of("nothing can be set on this host");
    }
    List<List<String>> rows = new ArrayList<>();
    boolean shared = knobs.stream().anyMatch(knob -> !knob.others().isEmpty());
    rows.add(
        row(
            List.of("target", "knob", "now", "range", "scope", "when", "lost at", "tool"),
            "also set by",
            shared));
    knobs.forEach(
        knob ->
            rows.add(
                row(
                    List.of(
                        knob.target(),
                        knob.name(),
                        knob.value(),
                        knob.range(),
                        knob.scope(),
                        knob.when(),
                        knob.lost(),
                        knob.tool()),
                    knob.others(),
                    shared)));
    return TextColumns.lines(
        rows, Collections.nCopies(rows.get(0).size(), true), Terminal.tableWidth());
  }
}
