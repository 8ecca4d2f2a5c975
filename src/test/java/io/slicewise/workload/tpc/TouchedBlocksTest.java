package io.slicewise.workload.tpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.base.units.Measure;
import io.slicewise.lab.guest.LabDatabase;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.tpc.StrideType.StrideTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects what PostgreSQL's own statistics say of the load alone, and where they are missing. */
class TouchedBlocksTest {
  private static final int EXECUTIONS = 4;

  @TempDir Path directory;

  private static Map<String, Double> counted(Database database) {
    StrideTable table = new StrideTable(database, 20_000);
    table.create(false);
    Asked asked =
        new Asked(database, StrideTable.NAME, "statements-test", List.of(table.query(10)));
    TouchedBlocks counts = new TouchedBlocks();
    counts.begin(asked);
    for (int execution = 0; execution < EXECUTIONS; execution++) {
      asked.run();
    }
    return counts.measures(asked, EXECUTIONS).stream()
        .collect(Collectors.toMap(Measure::name, Measure::value));
  }

  @Test
  void countsTheLoadsOwnCallsWhereTheExtensionIsLoaded() {
    LabDatabase.Size size = new LabDatabase.Size(10, "16MB", "pg_stat_statements");
    try (LabDatabase server = LabDatabase.start(directory.resolve("data"), size)) {
      Database with = server.create("with_statements");
      server.administer("with_statements", "CREATE EXTENSION pg_stat_statements");
      Database without = server.create("without");

      assertThat(counted(with)).containsEntry("calls", 1.0).doesNotContainKey("read-time");
      assertThat(TouchedBlocks.remarks(with)).isEmpty();
      assertThat(counted(without)).containsKey("heap-hit").doesNotContainKey("calls");
      assertThat(TouchedBlocks.remarks(without))
          .containsExactly(
              "pg_stat_statements is not loaded in this database, so a trial has no measures"
                  + " 'calls' and 'read-time'");

      server.administer("ALTER DATABASE with_statements SET track_io_timing = on");
      assertThat(counted(with)).containsEntry("calls", 1.0).containsKey("read-time");
    }
  }
}
