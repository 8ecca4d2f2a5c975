package io.slicewise.workload.tpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Option;
import io.slicewise.workload.Workload;
import io.slicewise.workload.Workloads;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.target.FreshDatabase;
import io.slicewise.workload.target.Rows;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The TPC-B-like tables are made, interfered with, compared and dropped, and nothing else is. */
@ExtendWith(FreshDatabase.class)
class TpcbTest {
  private static final String HISTORY = "SELECT count(*) FROM slicewise_tpcb.history";

  @Test
  void makesTheTablesAnewAndDropsThem(Database database) {
    Workload workload = tpcb(database, Map.of());
    workload.setUp();
    Rows.execute(database, "DELETE FROM slicewise_tpcb.accounts WHERE aid > 10");

    workload.setUp();

    assertThat(Rows.count(database, "SELECT count(*) FROM slicewise_tpcb.branches")).isOne();
    assertThat(Rows.count(database, "SELECT count(*) FROM slicewise_tpcb.tellers")).isEqualTo(10);
    assertThat(Rows.count(database, "SELECT count(*) FROM slicewise_tpcb.accounts"))
        .isEqualTo(100_000);
    assertThat(Rows.count(database, HISTORY)).isZero();
    workload.tearDown();
    workload.tearDown();
    assertThat(
            Rows.count(
                database, "SELECT count(*) FROM pg_namespace WHERE nspname = 'slicewise_tpcb'"))
        .isZero();
  }

  @Test
  void failsATrialWhoseBooksDoNotAgreeAndDropsThemAllTheSame(Database database) {
    Workload workload = tpcb(database, Map.of());
    workload.setUp();
    Rows.execute(database, "UPDATE slicewise_tpcb.accounts SET abalance = 7 WHERE aid = 1");

    assertThatThrownBy(workload::tearDown)
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("do not agree: accounts 7, tellers 0, branches 0, history 0");
    assertThat(workload.complaint()).isEmpty();
    workload.tearDown();
  }

  @Test
  void movesMoneyOnOtherGuestsWhileATrialRuns(Database database, Database other) {
    Workload workload =
        tpcb(
            database,
            Map.of(
                "others",
                List.of(neighbour("neighbour", other)),
                "interference",
                1L,
                "interference-clients",
                2L));
    workload.setUp();
    Awaitility.await().until(() -> Rows.count(other, HISTORY) > 20);

    assertThat(Rows.count(database, HISTORY)).isZero();
    workload.tearDown();
  }

  @Test
  void failsATrialWhoseInterferenceBrokeOff(Database database, Database other) {
    Workload workload =
        tpcb(database, Map.of("others", List.of(neighbour("gone", other)), "interference", 1L));
    workload.setUp();
    Awaitility.await().until(() -> Rows.count(other, HISTORY) > 0);
    StaleSessions.end(other, Tpcb.APPLICATION);
    Awaitility.await()
        .until(() -> Thread.getAllStackTraces().keySet().stream().noneMatch(TpcbTest::isClient));

    assertThatThrownBy(workload::tearDown)
        .hasMessageContaining("the interference of guest gone failed");
  }

  @Test
  void leavesAForeignTableAlone(Database database) {
    Workload workload = tpcb(database, Map.of());
    workload.setUp();
    Rows.execute(database, "CREATE TABLE slicewise_tpcb.payroll (id integer)");

    assertThatThrownBy(workload::tearDown).hasMessageContaining("payroll");
    assertThatThrownBy(workload::setUp).hasMessageContaining("payroll");
    assertThat(workload.complaint())
        .hasValueSatisfying(why -> assertThat(why).contains("payroll", "not changed"));
    assertThat(Rows.count(database, "SELECT count(*) FROM slicewise_tpcb.accounts"))
        .isEqualTo(100_000);
  }

  @Test
  void refusesMoreInterferenceThanThereAreGuests(Database database) {
    assertThatThrownBy(() -> tpcb(database, Map.of("interference", 2L)))
        .hasMessageContaining(
            "interference 2 needs at least as many guests under 'others'; there are 0");
  }

  @Test
  void refusesANeighbourThatIsTheLoadedDatabaseItself(Database database) {
    Map<String, Object> itself =
        Map.of("name", "twin", "database", database.url(), "database-user", database.user());

    assertThatThrownBy(() -> tpcb(database, Map.of("others", List.of(itself), "interference", 1L)))
        .hasMessageContaining("the database of twin, is listed twice");
  }

  private static boolean isClient(Thread thread) {
    return thread.getName().startsWith("interference-gone");
  }

  private static Map<String, Object> neighbour(String name, Database other) {
    Map<String, Object> neighbour = new HashMap<>(FreshDatabase.options(other));
    neighbour.put("name", name);
    return neighbour;
  }

  private static Workload tpcb(Database database, Map<String, Object> more) {
    Map<String, Object> options = new HashMap<>(Option.defaults(new TpcbType().options()));
    options.putAll(FreshDatabase.options(database));
    options.put("scale", 1L);
    options.putAll(more);
    return Workloads.of("tpcb", Optional.empty(), Optional.empty(), Map.of(), options);
  }
}
