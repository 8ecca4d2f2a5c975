package io.slicewise.load.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.SlicewiseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A plan says by itself which properties can be given to it. */
class PlanFileTest {
  @TempDir Path directory;

  @Test
  void findsThePropertiesOfThePlanWeShip() {
    PlanFile plan =
        PlanFile.read(Path.of(System.getProperty("slicewise.home"), "jmeter-plans", "web-app.jmx"));

    assertThat(plan.properties())
        .containsEntry("users", Optional.of("25"))
        .containsEntry("think-time", Optional.of("0"))
        .containsEntry("password5", Optional.of("password5"))
        .containsKeys("host", "port", "path", "ramp", "rate", "duration");
    assertThat(plan.reads("users")).isTrue();
    assertThat(plan.reads("user6")).isFalse();
  }

  @Test
  void findsEveryWayToReadAProperty() throws IOException {
    PlanFile plan =
        PlanFile.read(
            Files.writeString(
                directory.resolve("plan.jmx"),
                """
                <a>${__P(bare)} ${__P( spaced , 7 )} ${__P(empty,)}</a>
                <b>${__property(long)} ${__property(kept,VARIABLE,9)}</b>
                <c>props.get(&quot;scripted&quot;) + props.getProperty('single')</c>
                <d>${__Pnot(this)} ${__P(bare,later default)}</d>
                """));

    assertThat(plan.properties())
        .containsOnly(
            Map.entry("bare", Optional.of("later default")),
            Map.entry("spaced", Optional.of("7")),
            Map.entry("empty", Optional.empty()),
            Map.entry("long", Optional.empty()),
            Map.entry("kept", Optional.of("9")),
            Map.entry("scripted", Optional.empty()),
            Map.entry("single", Optional.empty()));
  }

  @Test
  void findsTheServersThatItNamesItself() throws IOException {
    PlanFile plan =
        PlanFile.read(
            Files.writeString(
                directory.resolve("plan.jmx"),
                """
                <stringProp name="HTTPSampler.domain">shop.example</stringProp>
                <stringProp name="HTTPSampler.domain">${__P(host)}</stringProp>
                <stringProp name="HTTPSampler.domain"></stringProp>
                <stringProp name="HTTPSampler.path">https://cdn.example:8443/logo.png</stringProp>
                <stringProp name="HTTPSampler.path">/search?q=http://other.example/</stringProp>
                <stringProp name="HTTPSampler.path">http://${server}/</stringProp>
                """));

    assertThat(plan.servers()).containsExactly("cdn.example", "shop.example");
  }

  @Test
  void namesAFileThatIsNotThere() {
    assertThatThrownBy(() -> PlanFile.read(directory.resolve("none.jmx")))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("none.jmx");
  }

  @Test
  void letsJMeterItselfFindWhatIsWrongWithAPlan() throws IOException {
    Path plan = directory.resolve("plan.jmx");
    Files.writeString(plan, "<jmeterTestPlan version=\"1.2\"><hashTree/></jmeterTestPlan>");

    assertThat(PlanFile.read(plan).complaint(Map.of(), Map.of()))
        .hasValueSatisfying(
            sentence -> assertThat(sentence).contains("plan.jmx", "contains no test plan"));
  }
}
