package io.slicewise.report;

import io.slicewise.evidence.analysis.MeasuredRun;
import io.slicewise.report.Table.Column;
import io.slicewise.run.HostIdentity;
import java.util.List;

/** The runs behind a comparison or a history: when, where and how complete. */
final class RunsTable {
  private RunsTable() {}

  static Table of(List<MeasuredRun> runs) {
    return new Table(
        "runs",
        "Runs",
        List.of(
            Column.name("run"),
            Column.name("begun"),
            Column.name("origin"),
            Column.name("host"),
            Column.name("hypervisor"),
            Column.count("planned"),
            Column.count("finished"),
            Column.count("excluded")),
        runs.stream().map(RunsTable::row).toList());
  }

  private static List<Cell> row(MeasuredRun run) {
    return List.of(
        new Cell.Text(run.name()),
        new Cell.Text(run.begun().toString()),
        new Cell.Text(run.origin().kind().word()),
        new Cell.Text(run.host().map(HostIdentity::name).orElse(Numbers.UNKNOWN)),
        new Cell.Text(
            run.host()
                .map(
                    host ->
                        "%s, %s, %d pCPUs"
                            .formatted(host.hypervisor(), host.toolstack(), host.pcpus()))
                .orElse(Numbers.UNKNOWN)),
        new Cell.Count(run.planned()),
        new Cell.Count(run.finished()),
        new Cell.Count(run.excluded()));
  }
}
