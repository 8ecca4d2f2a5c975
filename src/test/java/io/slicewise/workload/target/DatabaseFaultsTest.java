package io.slicewise.workload.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.workload.target.Database.DatabaseFault;
import io.slicewise.workload.target.WebApplication.WebAppSchema;
import java.sql.SQLException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a database cannot or will not do is told in one sentence, without any password. */
@ExtendWith(FreshDatabase.class)
class DatabaseFaultsTest {
  @Test
  void leavesEverythingWhenAForeignViewLooksOn(Database database) {
    TargetSchema schema = WebAppSchema.of(database);
    schema.create();
    Rows.execute(database, "CREATE VIEW seen AS SELECT name FROM slicewise_web_app.users");

    assertThatThrownBy(schema::drop).isInstanceOf(SlicewiseException.class);
    assertThat(Rows.count(database, "SELECT count(*) FROM slicewise_web_app.users")).isEqualTo(5);
  }

  @Test
  void saysInOneSentenceWhyThereIsNoConnection(Database database) {
    Secret password = Secret.of("hunter2");
    expect(
        new Database("jdbc:nosuch://localhost/a", "u", password),
        ErrorKind.INPUT,
        "there is no JDBC driver for jdbc:nosuch://localhost/a");
    expect(
        new Database("jdbc:postgresql://localhost:1/a", "u", password),
        ErrorKind.NOT_READY,
        "does not answer");
    expect(
        new Database(
            database.url().replaceAll("test_[0-9]+", "nowhere"),
            database.user(),
            database.password()),
        ErrorKind.NOT_READY,
        "does not exist");
    expect(
        new Database(database.url(), database.user(), password),
        ErrorKind.NOT_READY,
        "refuses user '" + database.user() + "' or the password");
    expect(
        new Database(database.url(), database.user(), Secret.NONE),
        ErrorKind.NOT_READY,
        "refuses user '" + database.user() + "' or the password");
  }

  @Test
  void tellsAServerThatIsOutOfRoomAsThat(Database database) {
    // PostgreSQL's disk_full, MariaDB's ER_DISK_FULL and its full table; no disk is filled for it.
    for (SQLException full :
        new SQLException[] {
          new SQLException("could not extend file: No space left on device", "53100"),
          new SQLException(
              "Disk full (/tmp/#sql); waiting for someone to free some space", "HY000", 1021),
          new SQLException("The table 'log' is full", "HY000", 1114)
        }) {
      SlicewiseException told = DatabaseFault.of(database, "writing the log", full);
      assertThat(told.errorKind()).isEqualTo(ErrorKind.NOT_READY);
      assertThat(told.getMessage()).contains("is out of space while writing the log");
      assertThat(told.hint()).contains("free disk space");
    }
  }

  private static void expect(Database database, ErrorKind kind, String words) {
    assertThatThrownBy(database::connect)
        .asInstanceOf(InstanceOfAssertFactories.type(SlicewiseException.class))
        .satisfies(
            fault -> {
              assertThat(fault.errorKind()).isEqualTo(kind);
              assertThat(fault.getMessage()).contains(words).doesNotContain("hunter2", "\n");
            });
  }
}
