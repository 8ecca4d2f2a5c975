package io.slicewise.base.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Protects the form of constants: lower case with hyphens. */
class JsonTest {
  private enum Rule {
    ALWAYS_VALID,
    P95
  }

  private record Rules(Rule first, Map<Rule, Integer> times) {}

  @Test
  void constantsAreInLowerCaseWithHyphens() throws IOException {
    Rules rules = new Rules(Rule.ALWAYS_VALID, Map.of(Rule.P95, 2));
    String text = Json.mapper().writeValueAsString(rules);
    assertThat(text).isEqualTo("{\"first\":\"always-valid\",\"times\":{\"p95\":2}}");
    assertThat(Json.mapper().readValue(text, Rules.class)).isEqualTo(rules);
  }
}
