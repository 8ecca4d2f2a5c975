package io.slicewise.report;

import io.slicewise.base.units.NumberText;
import io.slicewise.base.units.Plural;
import io.slicewise.evidence.analysis.MeasuredRun;
import io.slicewise.report.table.Table;
import io.slicewise.report.table.TableBuilder;
import io.slicewise.run.HostIdentity;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The runs behind a comparison or a history: when, where and how complete. */
final class RunsTable {
  private RunsTable() {}

  static Table of(List<MeasuredRun> runs) {
    return TableBuilder.of(runs)
        .name("run", MeasuredRun::name)
        .name("begun", run -> run.begun().truncatedTo(ChronoUnit.SECONDS).toString())
        .name("origin", run -> run.place().origin().kind().word())
        .name("host", run -> run.place().host().map(HostIdentity::name).orElse(NumberText.UNKNOWN))
        .name(
            "hypervisor",
            run -> run.place().host().map(RunsTable::hypervisor).orElse(NumberText.UNKNOWN))
        .count("planned", run -> run.counts().planned())
        .count("finished", run -> run.counts().finished())
        .count("excluded", run -> run.counts().excluded())
        .table("runs", "Runs");
  }

  private static String hypervisor(HostIdentity host) {
    return "%s, %s, %s"
        .formatted(host.hypervisor(), host.toolstack(), Plural.of(host.pcpus(), "pCPU"));
  }
}
