package io.slicewise.workload.tpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.target.FreshDatabase;
import io.slicewise.workload.tpc.QueryAnswer.KnownAnswers;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** At scale factor 1 the plan's queries give the specification's answers; minutes of work. */
@KeepsTheMachineBusy
@ExtendWith(FreshDatabase.class)
@ResourceLock(TpchAnswersTest.MEMORY)
class TpchAnswersTest {
  /** Making TPC-H's rows takes 300 MB of memory; two at once would be too much. */
  static final String MEMORY = "TPC-H's text";

  static final Path PLAN =
      Path.of(System.getProperty("slicewise.home", "."), "jmeter-plans", "tpch.jmx");

  @Test
  @Tag("nightly")
  void answersAllQueriesAsTheSpecificationDoes(Database database) {
    TpchSchema schema = new TpchSchema(database, 1);
    schema.create();

    assertThat(schema.answers(TpchQueries.read(PLAN, TpchParameters.validation(1))))
        .isEqualTo(KnownAnswers.at(1).orElseThrow());
    schema.drop();
  }
}
