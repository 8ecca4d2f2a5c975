package io.slicewise.workload.tpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.Options;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabOptions;
import io.slicewise.workload.Workload;
import io.slicewise.workload.Workloads;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.target.FreshDatabase;
import io.slicewise.workload.target.Rows;
import io.slicewise.workload.tpc.QueryAnswer.KnownAnswers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** TPC-H's tables are made whole or not at all, kept when asked to, and nothing else is touched. */
@KeepsTheMachineBusy
@ExtendWith(FreshDatabase.class)
@ResourceLock(TpchAnswersTest.MEMORY)
@Tag("thorough")
class TpchTest {
  private static final String SCHEMAS =
      "SELECT count(*) FROM pg_namespace WHERE nspname = 'slicewise_tpch'";

  @Test
  void tellsThePlanWhatToAskAndKeepsThePasswordOutOfIt(Database database) {
    Workload workload = tpch(database, Map.of("queries", List.of("q06", "q01")));

    assertThat(workload.properties())
        .containsEntry("queries", "q06 q01")
        .containsEntry("q11-fraction", "0.01")
        .containsEntry("q01-rows", "4")
        .containsEntry("schema", "slicewise_tpch")
        .doesNotContainKey("database-password");
    assertThat(workload.secrets()).containsOnlyKeys("database-password");
    assertThat(tpch(database, Map.of("parameters", "random")).properties())
        .containsKey("q22-code7")
        .doesNotContainKey("q01-rows");
  }

  /** A stream connects once and is between queries many times; the total shows neither. */
  @Test
  void countsConnectingAndPausesForLittlesLawHoweverStreamsConnect(Database database) {
    for (String connection : new String[] {"one", "query"}) {
      assertThat(tpch(database, Map.of("connection", connection)).pausesAreThinking()).isTrue();
    }
  }

  @Test
  void streamsHaveParametersOfTheirOwnUnlessTheExperimentFixesThem(Database database) {
    Workload drawn =
        Workloads.of(
            "tpch",
            Optional.empty(),
            Optional.empty(),
            Map.of("q01-delta", "77"),
            options(database, Map.of("parameters", "random", "parameter-seed", 3)));
    Map<String, String> two = drawn.properties(2);
    assertThat(two)
        .containsAllEntriesOf(drawn.properties())
        .containsEntry("q01-delta", "77")
        .containsEntry("q06-discount.1", TpchParameters.random(3, 1).get("q06-discount"))
        .containsEntry("q06-discount.2", TpchParameters.random(4, 1).get("q06-discount"))
        .doesNotContainKeys("q01-delta.1", "q01-delta.2", "q06-discount.3");
    assertThat(tpch(database, Map.of()).properties(2))
        .isEqualTo(tpch(database, Map.of()).properties());
  }

  @Test
  void keepsRightTablesOnlyWhenAskedToAndOnlyAtTheirScale(Database database) {
    Workload keeping = tpch(database, Map.of("keep-data", true));
    keeping.setUp();
    keeping.tearDown();
    Map<String, QueryAnswer> right = KnownAnswers.at(0.01).orElseThrow();
    Map<String, String> queries =
        TpchQueries.read(TpchAnswersTest.PLAN, TpchParameters.validation(0.01));
    TpchSchema schema = new TpchSchema(database, 0.01);
    assertThat(schema.answers(queries)).isEqualTo(right);
    Rows.execute(database, "DELETE FROM slicewise_tpch.region WHERE r_name = 'EUROPE'");

    keeping.setUp();

    assertThatThrownBy(() -> schema.checkAnswers(queries, right))
        .hasMessageContaining("is answered wrongly: q02 gives 0 rows instead of 4, or others");
    assertThat(Rows.count(database, "SELECT count(*) FROM slicewise_tpch.region")).isEqualTo(4);
    tpch(database, Map.of("keep-data", true, "scale", 0.02)).setUp();
    assertThat(Rows.count(database, "SELECT count(*) FROM slicewise_tpch.supplier")).isEqualTo(200);
    tpch(database, Map.of()).tearDown();
    assertThat(Rows.count(database, SCHEMAS)).isZero();
  }

  @Test
  void leavesNothingBehindWhenTheServerRunsOutOfRoom(Database database) {
    String name = database.url().substring(database.url().lastIndexOf('/') + 1);
    Rows.execute(database, "ALTER DATABASE " + name + " SET temp_file_limit = '64kB'");
    Rows.execute(database, "ALTER DATABASE " + name + " SET maintenance_work_mem = '1MB'");
    Rows.execute(database, "ALTER DATABASE " + name + " SET max_parallel_maintenance_workers = 0");

    assertThatThrownBy(() -> tpch(database, Map.of()).setUp())
        .asInstanceOf(InstanceOfAssertFactories.type(SlicewiseException.class))
        .satisfies(
            fault -> {
              assertThat(fault.errorKind()).isEqualTo(ErrorKind.NOT_READY);
              assertThat(fault.getMessage())
                  .contains("is out of space while creating schema slicewise_tpch")
                  .doesNotContain("\n");
            });
    assertThat(Rows.count(database, SCHEMAS)).isZero();
  }

  @Test
  void leavesASchemaAloneThatItDidNotMake(Database database) {
    Rows.execute(database, "CREATE SCHEMA slicewise_tpch");
    Rows.execute(database, "CREATE TABLE slicewise_tpch.orders (id integer)");
    Workload workload = tpch(database, Map.of());

    assertThat(workload.complaint())
        .hasValueSatisfying(why -> assertThat(why).contains("was not created by Slicewise"));
    assertThatThrownBy(workload::setUp).hasMessageContaining("was not created by Slicewise");
    assertThatThrownBy(workload::tearDown).hasMessageContaining("was not created by Slicewise");
    assertThat(Rows.count(database, "SELECT count(*) FROM slicewise_tpch.orders")).isZero();
  }

  @Test
  void saysInOneSentenceWhyTheDatabaseDoesNotDo(Database database) {
    assertThat(tpch(database, Map.of("database-user", "nobody_tpch")).complaint())
        .hasValueSatisfying(why -> assertThat(why).contains("refuses user 'nobody_tpch'"));
    assertThat(tpch(database, Map.of("database", "jdbc:postgresql://localhost:1/a")).complaint())
        .hasValueSatisfying(why -> assertThat(why).contains("does not answer"));
    assertThat(tpch(database, Map.of("database", "jdbc:mariadb://localhost/a")).complaint())
        .hasValueSatisfying(why -> assertThat(why).contains("is not PostgreSQL"));
  }

  @Test
  void refusesScalesAtWhichTheGeneratorRepeatsAKey(Database database) {
    for (double scale : new double[] {0.005, 0.015, 301}) {
      assertThatThrownBy(() -> tpch(database, Map.of("scale", scale)))
          .hasMessageContaining("scale " + scale + " is not supported");
    }
    assertThat(tpch(database, Map.of("scale", 0.024)).complaint()).isEmpty();
  }

  @Test
  void refusesAPlanThatLacksAQuery(Database database, @TempDir Path directory) throws Exception {
    Path plan = directory.resolve("mine.jmx");
    Files.writeString(
        plan,
        Files.readString(TpchAnswersTest.PLAN).replace("testname=\"q07\"", "testname=\"mine\""));

    assertThat(
            Workloads.of(
                    "tpch",
                    Optional.of(plan),
                    Optional.empty(),
                    Map.of(),
                    options(database, Map.of()))
                .complaint())
        .hasValueSatisfying(why -> assertThat(why).contains("lacks some of the queries"));
  }

  @Test
  void startsColdThroughTheCommandsThatTheExperimentNames(Database database) {
    try (Lab lab = Lab.start(LabOptions.sshOnly())) {
      Map<String, Object> step =
          Map.of(
              "on",
              "127.0.0.1",
              "user",
              "root",
              "port",
              (long) lab.sshPort(),
              "identity",
              lab.privateKey().toString(),
              "known-hosts",
              lab.knownHosts().toString(),
              "command",
              List.of("echo", "a word; and another"));
      ColdStart cold = ColdStart.of(List.of(new Options(step)));

      cold.run(database);

      assertThat(lab.commands())
          .anyMatch(entry -> entry.toString().contains("echo 'a word; and another'"));
      Map<String, Object> failing = new HashMap<>(step);
      failing.put("command", List.of("false"));
      assertThatThrownBy(() -> ColdStart.of(List.of(new Options(failing))).run(database))
          .isInstanceOf(SlicewiseException.class)
          .hasMessageContaining("cold start: 'false' on root@127.0.0.1");
    }
  }

  private static Workload tpch(Database database, Map<String, Object> more) {
    return Workloads.of(
        "tpch", Optional.empty(), Optional.empty(), Map.of(), options(database, more));
  }

  private static Map<String, Object> options(Database database, Map<String, Object> more) {
    Map<String, Object> options = new HashMap<>(Option.defaults(new TpchType().options()));
    options.putAll(FreshDatabase.options(database));
    options.put("scale", 0.01);
    options.putAll(more);
    return options;
  }
}
