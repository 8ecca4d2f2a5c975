package io.slicewise.workload.tpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.workload.target.Database;
import io.slicewise.workload.target.FreshDatabase;
import io.slicewise.workload.target.Rows;
import org.apache.jmeter.config.Arguments;
import org.apache.jmeter.protocol.java.sampler.JavaSamplerContext;
import org.apache.jmeter.samplers.SampleResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A sample is one whole transaction; what fails is an error, moves nothing, and ends no client. */
@ExtendWith(FreshDatabase.class)
class TpcbSamplerTest {
  private static final String HISTORY = "SELECT count(*) FROM slicewise_tpcb.history";

  private final TpcbSampler sampler = new TpcbSampler();
  private Database database;
  private TpcbSchema schema;
  private JavaSamplerContext context;

  @BeforeEach
  void connect(Database fresh) {
    database = fresh;
    schema = new TpcbSchema(fresh, 1);
    schema.create();
    Arguments arguments = sampler.getDefaultParameters();
    arguments.removeArgument("database");
    arguments.addArgument("database", fresh.url());
    arguments.removeArgument("user");
    arguments.addArgument("user", fresh.user());
    arguments.removeArgument("password");
    arguments.addArgument("password", fresh.password().reveal());
    context = new JavaSamplerContext(arguments);
    sampler.setupTest(context);
  }

  @AfterEach
  void disconnect() {
    sampler.teardownTest(context);
  }

  @Test
  void eachSampleMovesMoneyOnceAndTheBooksAgree() {
    for (int moved = 1; moved <= 20; moved++) {
      SampleResult sample = sampler.runTest(context);
      assertThat(sample.getResponseMessage()).isEqualTo("OK");
      assertThat(sample.isSuccessful()).isTrue();
      assertThat(Rows.count(database, HISTORY)).isEqualTo(moved);
    }
    assertThat(Rows.count(database, "SELECT count(DISTINCT aid) FROM slicewise_tpcb.history"))
        .isGreaterThan(15);
    schema.checkBooks();
  }

  @Test
  void aStatementThatFindsNoRowFailsTheTransactionAndMovesNothing() {
    Rows.execute(database, "DELETE FROM slicewise_tpcb.branches");

    SampleResult sample = sampler.runTest(context);

    assertThat(sample.isSuccessful()).isFalse();
    assertThat(sample.getResponseCode()).isEqualTo("02000");
    assertThat(sample.getResponseMessage()).startsWith("0 rows instead of one: UPDATE branches");
    assertThat(Rows.count(database, HISTORY)).isZero();
    schema.checkBooks();
    Rows.execute(database, "INSERT INTO slicewise_tpcb.branches (bid, bbalance) VALUES (1, 0)");
    assertThat(sampler.runTest(context).isSuccessful()).isTrue();
  }

  @Test
  void aLostConnectionIsOneErrorAndTheClientGoesOnWithANewOne() {
    StaleSessions.end(database, Tpcb.APPLICATION);

    assertThat(sampler.runTest(context).isSuccessful()).isFalse();
    assertThat(sampler.runTest(context).isSuccessful()).isTrue();
    assertThat(Rows.count(database, HISTORY)).isOne();
  }

  @Test
  void aServerThatRefusesIsAnErrorThatSaysWhy() {
    sampler.teardownTest(context);
    Arguments arguments = sampler.getDefaultParameters();
    arguments.removeArgument("database");
    arguments.addArgument("database", database.url() + "-not-there");
    JavaSamplerContext refused = new JavaSamplerContext(arguments);
    sampler.setupTest(refused);

    for (int attempt = 1; attempt <= 2; attempt++) {
      SampleResult sample = sampler.runTest(refused);
      assertThat(sample.isSuccessful()).isFalse();
      assertThat(sample.getResponseCode()).isEqualTo("08001");
      assertThat(sample.getResponseMessage()).contains("-not-there");
    }
  }
}
