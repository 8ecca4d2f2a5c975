package io.slicewise.workload.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.workload.target.SampleData.Accounts;
import io.slicewise.workload.target.TargetSchema.Table;
import io.slicewise.workload.target.WebApplication.WebAppSchema;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Set-up and tear-down can be repeated, and touch nothing that was not made here. */
@ExtendWith(FreshDatabase.class)
class WebAppSchemaTest {
  @Test
  void makesTheTablesAnewEachTime(Database database) {
    TargetSchema schema = WebAppSchema.of(database);
    schema.create();
    Rows.execute(database, "DELETE FROM slicewise_web_app.users");

    schema.create();

    assertThat(Rows.count(database, "SELECT count(*) FROM slicewise_web_app.users")).isEqualTo(5);
    assertThat(Rows.count(database, "SELECT count(*) FROM slicewise_web_app.content"))
        .isEqualTo(10);
    assertThat(Rows.count(database, "SELECT count(*) FROM slicewise_web_app.log")).isZero();
  }

  @Test
  void dropsOnceAndThenHasNothingToDo(Database database) {
    TargetSchema schema = WebAppSchema.of(database);
    schema.create();

    schema.drop();
    schema.drop();

    assertThat(schema.exists()).isFalse();
  }

  @Test
  void leavesNothingWhenTheDiskFillsUpWhileItIsMade(Database database) {
    TargetSchema schema =
        new TargetSchema(
            database,
            WebAppSchema.NAME,
            List.of(Accounts.TABLE, new Table("log", "a INT")),
            connection -> {
              Accounts.fill(connection, WebAppSchema.NAME);
              throw new SQLException("No space left on device", "53100");
            });

    assertThatThrownBy(schema::create)
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("is out of space while creating the schema");
    assertThat(schema.exists()).isFalse();
  }

  @Test
  void leavesASchemaAloneThatItDidNotMake(Database database) {
    Rows.execute(database, "CREATE SCHEMA slicewise_web_app");
    Rows.execute(database, "CREATE TABLE slicewise_web_app.users (id INTEGER)");
    TargetSchema schema = WebAppSchema.of(database);

    assertThatThrownBy(schema::drop).hasMessageContaining("was not created by Slicewise");
    assertThatThrownBy(schema::create).hasMessageContaining("was not created by Slicewise");
    assertThatThrownBy(schema::check).hasMessageContaining("was not created by Slicewise");
    assertThat(Rows.count(database, "SELECT count(*) FROM slicewise_web_app.users")).isZero();
  }

  @Test
  void leavesEverythingWhenAForeignTableMovedIn(Database database) {
    TargetSchema schema = WebAppSchema.of(database);
    schema.create();
    Rows.execute(database, "CREATE TABLE slicewise_web_app.payroll (id INTEGER)");

    assertThatThrownBy(schema::drop)
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("payroll");
    assertThat(Rows.count(database, "SELECT count(*) FROM slicewise_web_app.users")).isEqualTo(5);
  }

  @Test
  void refusesAnAddressThatHoldsAPassword() {
    assertThatThrownBy(() -> new Database("jdbc:postgresql://h/d?password=x", "", Secret.NONE))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageNotContaining("=x");
    assertThat(new Database("jdbc:postgresql://h/d", "u", Secret.of("hunter2")).toString())
        .doesNotContain("hunter2");
  }
}
