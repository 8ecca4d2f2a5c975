package io.slicewise.workload.tpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.target.Database;
import io.slicewise.target.FreshDatabase;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The plan's queries on the loaded tables give the known answers. */
@ExtendWith(FreshDatabase.class)
@ResourceLock(TpchAnswersTest.MEMORY)
class TpchAnswersTest {
  /** Making TPC-H's rows takes 300 MB of memory; two at once would be too much. */
  static final String MEMORY = "TPC-H's text";

  private static final Path PLAN =
      Path.of(System.getProperty("slicewise.home", "."), "jmeter-plans", "tpch.jmx");

  @Test
  void answersAllQueriesRightAtAHundredth(Database database) {
    expectKnownAnswers(database, 0.01);
  }

  @Test
  @Tag("nightly")
  void answersAllQueriesAsTheSpecificationDoes(Database database) {
    expectKnownAnswers(database, 1);
  }

  private static void expectKnownAnswers(Database database, double scale) {
    TpchSchema schema = new TpchSchema(database, scale);
    schema.create();
    Map<String, String> queries = TpchQueries.read(PLAN, TpchParameters.validation(scale));

    assertThat(schema.answers(queries)).isEqualTo(KnownAnswers.at(scale).orElseThrow());
    schema.drop();
  }
}
