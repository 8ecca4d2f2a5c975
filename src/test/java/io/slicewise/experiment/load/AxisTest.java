package io.slicewise.experiment.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.slicewise.base.json.Json;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Protects loads as levels on described axes: their text, order, file names and JSON. */
class AxisTest {
  private static final Load QUERY = Load.beside(2, 25).only("q06");

  /** A value inside whose object a load is written. */
  record Row(int number, @JsonUnwrapped Load load, String profile) {}

  @Test
  void aLoadReadsAsASentenceAListAndAFileName() {
    assertThat(QUERY.text()).isEqualTo("25 users with 2 neighbours with q06");
    assertThat(Load.beside(1, 1).text()).isEqualTo("1 user with 1 neighbour");
    assertThat(QUERY).hasToString("25 + 2 with q06");
    assertThat(QUERY.mark()).isEqualTo("u25-i2-q06");
    assertThat(Load.of(0).text()).isEqualTo("no generated load");
    assertThat(Load.of(0).at()).isEmpty();
    assertThat(QUERY.beside().text()).isEqualTo(" with 2 neighbours with q06");
    assertThat(Load.span(List.of(Load.beside(0, 25), Load.beside(3, 25), Load.beside(3, 50))))
        .isEqualTo("25, 50 users with 0, 3 neighbours");
  }

  @Test
  void loadsAreOrderedByTheirAxesInTurn() {
    assertThat(Stream.of(QUERY, Load.beside(10, 3), Load.beside(9, 3), Load.of(3)).sorted())
        .containsExactly(Load.of(3), Load.beside(9, 3), Load.beside(10, 3), QUERY);
  }

  @Test
  void jsonHasAFieldForEachAxisThatALoadHas() throws JsonProcessingException {
    String text = Json.mapper().writeValueAsString(new Row(7, QUERY, "w256"));
    assertThat(text)
        .isEqualTo(
            "{\"number\":7,\"users\":25,\"neighbours\":2,\"part\":\"q06\",\"profile\":\"w256\"}");
    assertThat(Json.mapper().readValue(text, Row.class)).isEqualTo(new Row(7, QUERY, "w256"));
    assertThat(Json.mapper().readValue("{\"users\":4,\"number\":1}", Row.class).load())
        .isEqualTo(Load.of(4));
    assertThat(Json.mapper().readValue("{\"neighbours\":1,\"users\":4}", Load.class))
        .isEqualTo(Load.beside(1, 4));
  }
}
