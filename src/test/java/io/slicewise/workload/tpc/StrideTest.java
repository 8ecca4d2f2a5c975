package io.slicewise.workload.tpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.Options;
import io.slicewise.workload.Workload;
import io.slicewise.workload.Workloads;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.target.FreshDatabase;
import io.slicewise.workload.target.Rows;
import io.slicewise.workload.tpc.StrideType.StrideTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every n-th row of a table, as a real PostgreSQL reads it. */
@ExtendWith(FreshDatabase.class)
class StrideTest {
  private static final long ROWS = 20_000;

  private static Map<String, Object> options(Database database, Map<String, Object> more) {
    Map<String, Object> options = new HashMap<>(Option.defaults(new StrideType().options()));
    options.putAll(FreshDatabase.options(database));
    options.put("rows", ROWS);
    options.putAll(more);
    return options;
  }

  private static Workload stride(Database database, Map<String, Object> more) {
    return Workloads.of(
        "stride", Optional.empty(), Optional.empty(), Map.of(), options(database, more));
  }

  /** A row is touched once: heap read + hit = rows, whatever the offset. */
  @Test
  void touchesEachOfItsRowsOnceAndNoOther(Database database) {
    StrideTable table = new StrideTable(database, ROWS);
    table.create(false);
    for (long offset : List.of(1L, 10L, 50L, 100L, 7001L)) {
      Asked asked =
          new Asked(database, StrideTable.NAME, "stride-test", List.of(table.query(offset)));
      TouchedBlocks blocks = new TouchedBlocks();
      blocks.begin(asked);
      asked.run();
      Map<String, Double> counted = new HashMap<>();
      blocks.measures(asked, 1).forEach(measure -> counted.put(measure.name(), measure.value()));
      assertThat(counted.get("heap-read") + counted.get("heap-hit"))
          .as("offset %d", offset)
          .isEqualTo((double) table.touched(offset));
    }
    assertThat(table.touched(7001)).isEqualTo(3);
  }

  @Test
  void eachOffsetIsAPartWithItsOwnQueryAndCount(Database database) {
    assertThat(new StrideType().parts(new Options(options(database, Map.of()))))
        .hasSize(12)
        .startsWith("offset-1", "offset-10")
        .endsWith("offset-10000");
    Workload part = stride(database, Map.of()).only("offset-100");
    assertThat(part.properties())
        .containsEntry("label", "offset-100")
        .containsEntry("count", "200")
        .hasEntrySatisfying("query", sql -> assertThat(sql).contains("(1, 20000, 100)"));
    assertThat(part.totalLabels()).containsExactly("offset-100");
  }

  @Test
  void keepsTheTableOnlyWhenAskedToAndLeavesOthersAlone(Database database) {
    stride(database, Map.of("keep-data", true)).setUp();
    Rows.execute(database, "DELETE FROM slicewise_stride.relr WHERE row_id = 7");
    Workload keeping = stride(database, Map.of("keep-data", true));
    keeping.setUp();
    keeping.tearDown();
    assertThat(Rows.count(database, "SELECT count(*) FROM slicewise_stride.relr"))
        .isEqualTo(ROWS - 1);
    stride(database, Map.of()).setUp();
    assertThat(Rows.count(database, "SELECT count(*) FROM slicewise_stride.relr")).isEqualTo(ROWS);
    Rows.execute(database, "CREATE TABLE slicewise_stride.mine (id integer)");
    assertThat(stride(database, Map.of()).complaint()).isPresent();
    assertThatThrownBy(() -> stride(database, Map.of()).setUp()).hasMessageContaining("mine");
  }
}
