package io.slicewise.lab.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.workload.target.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Holds that nobody else on the machine can use the lab's PostgreSQL, and that an application which
 * signs in cannot reach beyond its own database.
 */
class LabDatabaseTest {
  @TempDir private static Path directory;

  private static LabDatabase server;
  private static Database database;

  @BeforeAll
  static void start() {
    server = LabDatabase.start(directory.resolve("data"), LabDatabase.Size.SMALL);
    database = server.create("site");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres", "slicewise"})
  void refusesWhoeverHasNoPassword(String user) {
    assertThatThrownBy(() -> new Database(database.url(), user, Secret.NONE).connect())
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("refuses user '" + user + "' or the password");
    assertThatThrownBy(() -> new Database(database.url(), user, Secret.of(user)).connect())
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("refuses user '" + user + "' or the password");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "COPY (SELECT 1) TO PROGRAM 'true'",
        "CREATE TABLE f (line text); COPY f FROM '/etc/passwd'",
        "SELECT pg_read_file('/etc/passwd')",
        "CREATE ROLE other SUPERUSER",
        "ALTER ROLE slicewise SUPERUSER",
        "SELECT rolpassword FROM pg_authid"
      })
  void refusesTheApplicationWhatOnlySuperusersMay(String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.execute(sql))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("permission denied");
    }
  }

  @Test
  void asksForScramAndListensOnNoSocket() throws SQLException, IOException {
    // Line 5 of the file is the first socket's directory, line 6 the address.
    assertThat(Files.readAllLines(directory.resolve("data/postmaster.pid")))
        .element(4)
        .isEqualTo("");
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      assertThat(value(statement, "SHOW password_encryption")).isEqualTo("scram-sha-256");
      assertThat(value(statement, "SHOW listen_addresses")).isEqualTo("localhost");
    }
  }

  @Test
  void handsThePasswordOverInFileThatItsOwnerAloneReads() throws IOException {
    Path file = Path.of((String) server.options(database.url()).get("database-password-file"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(Secret.inFile(file)).isEqualTo(database.password());
    assertThat(server.options(database.url()).toString())
        .doesNotContain(database.password().reveal());
  }

  @Test
  void keepsItsDataToItsOwner() throws IOException {
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("data"))))
        .isEqualTo("rwx------");
    String rules = Files.readString(directory.resolve("data/pg_hba.conf"));
    try (Stream<String> lines = rules.lines()) {
      assertThat(lines.filter(line -> !line.isBlank() && !line.startsWith("#")))
          .isNotEmpty()
          .allMatch(line -> line.endsWith("scram-sha-256"));
    }
  }

  @Test
  void drawsAnotherPasswordForEachServer() {
    Path elsewhere = directory.resolve("second");
    try (LabDatabase second = LabDatabase.start(elsewhere, LabDatabase.Size.SMALL)) {
      assertThat(second.create("site").password()).isNotEqualTo(database.password());
    }
    assertThat(elsewhere).doesNotExist();
  }

  private static String value(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
