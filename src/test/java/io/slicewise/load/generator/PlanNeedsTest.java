package io.slicewise.load.generator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protects whoever loads a plan of others: what ends or stops it is known before a run. */
class PlanNeedsTest {
  private static final String GROUP =
      """
      <ThreadGroup testclass="ThreadGroup" testname="g" enabled="%s">
        <elementProp name="ThreadGroup.main_controller" elementType="LoopController">
          <boolProp name="LoopController.continue_forever">false</boolProp>
          <stringProp name="LoopController.loops">%s</stringProp>
        </elementProp>
        <boolProp name="ThreadGroup.scheduler">%s</boolProp>
        <stringProp name="ThreadGroup.duration">%s</stringProp>
      </ThreadGroup>
      """;

  @TempDir private Path directory;

  private PlanNeeds needs(String elements, Map<String, String> given) throws IOException {
    Path plan =
        Files.writeString(
            directory.resolve("p.jmx"),
            "<jmeterTestPlan><hashTree><TestPlan testclass='TestPlan'/><hashTree>%s</hashTree></hashTree></jmeterTestPlan>"
                .formatted(elements));
    return PlanNeeds.of(plan, given, Duration.ofSeconds(90));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1                  | false |      | ThreadGroup 'g' ends each user after 1 pass
          ${__P(loops,20)}   | false |      | ThreadGroup 'g' ends each user after 20 passes
          ${__P(loops)}      | false |      | ThreadGroup 'g' ends each user after 1 pass
          ${__property(n,,3)}| false |      | ThreadGroup 'g' ends each user after 3 passes
          -1                 | true  | 60   | ThreadGroup 'g' ends its users after 60 s, and a load may take 90s
          -1                 | true  | ${__P(time,5)} | ThreadGroup 'g' ends its users after 5 s, and a load may take 90s
          -1                 | true  | 89   | ThreadGroup 'g' ends its users after 89 s, and a load may take 90s
          -1                 | true  | 90   | ''
          ${__P(given,1)}    | false |      | ''
          ${__P(given,1)}    | true  | 3600 | ''
          -1                 | false | 60   | ''
          -1                 | true  | ${__P(duration,60)} | ''
          ${passes}          | false |      | ''
          """)
  void knowsWhichPlanEndsByItself(String loops, String scheduler, String duration, String ends)
      throws IOException {
    String group = GROUP.formatted("true", loops, scheduler, duration == null ? "" : duration);
    assertThat(needs(group, Map.of("given", "-1")).endsByItself().orElse("")).isEqualTo(ends);
    assertThat(needs(group.replace("enabled=\"true\"", "enabled=\"false\""), Map.of()).ends())
        .isEmpty();
  }

  @Test
  void takesAGivenDurationForTheOneThatSlicewiseSets() throws IOException {
    String group = GROUP.formatted("true", "-1", "true", "${__P(duration,60)}");
    assertThat(needs(group, Map.of("duration", "5")).ends())
        .containsExactly("ThreadGroup 'g' ends its users after 5 s, and a load may take 90s");
    assertThat(needs(GROUP.formatted("true", "${__P(ramp)}", "false", ""), Map.of("ramp", "5")))
        .isEqualTo(new PlanNeeds(List.of(), List.of()));
  }

  @Test
  void namesTheGroupThatEndsAndCountsItsDelay() throws IOException {
    String delay = "<stringProp name='ThreadGroup.delay'>%d</stringProp></ThreadGroup>";
    String group = GROUP.formatted("true", "-1", "true", "60");
    String delayed = group.replace("</ThreadGroup>", delay);
    String forever =
        GROUP
            .formatted("true", "1", "false", "")
            .replace("\">false</boolProp>", "\">true</boolProp>");
    assertThat(
            needs(
                    delayed.formatted(30)
                        + delayed.formatted(29).replace("\"g\"", "\"brief\"")
                        + forever,
                    Map.of())
                .ends())
        .containsExactly("ThreadGroup 'brief' ends its users after 89 s, and a load may take 90s");
  }

  @Test
  void namesFilesAndClassesThatAreMissing() throws IOException {
    Files.writeString(directory.resolve("there.csv"), "a");
    String data =
        """
        <CSVDataSet testclass="CSVDataSet" testname="%1$s">
          <stringProp name="filename">%1$s</stringProp>
          <boolProp name="recycle">%2$s</boolProp>
          <boolProp name="stopThread">true</boolProp>
        </CSVDataSet>
        """;
    PlanNeeds needs =
        needs(
            Stream.of("there.csv", "${dir}/x.csv", "${__P(data,gone.csv)}")
                    .map(name -> data.formatted(name, name.startsWith("there") ? "false" : "true"))
                    .reduce("", String::concat)
                + "<kg.Dummy testclass='kg.Dummy' testname='d' enabled='false'/>"
                + "<IncludeController testclass='IncludeController' testname='i'>"
                + "<stringProp name='IncludeController.includepath'>part.jmx</stringProp>"
                + "</IncludeController>",
            Map.of());
    assertThat(needs.missing())
        .containsExactly(
            "CSVDataSet '${__P(data,gone.csv)}' reads gone.csv, which is not there",
            "Dummy 'd' needs the class kg.Dummy, which is not part of JMeter (a plug-in's jar is"
                + " missing)",
            "IncludeController 'i' includes part.jmx, which is not there");
    assertThat(needs.ends())
        .containsExactly("CSVDataSet 'there.csv' ends its users after the last row");
  }

  @Test
  void findsNothingInThePlansWeShip() throws IOException {
    Path plans = Path.of(System.getProperty("slicewise.home"), "jmeter-plans");
    try (Stream<Path> all = Files.list(plans)) {
      assertThat(all.filter(file -> file.toString().endsWith(".jmx")))
          .isNotEmpty()
          .allSatisfy(
              plan -> {
                PlanNeeds needs = PlanNeeds.of(plan, Map.of(), Duration.ofHours(1));
                assertThat(needs.ends()).isEmpty();
                assertThat(needs.missing()).isEmpty();
              });
    }
  }
}
