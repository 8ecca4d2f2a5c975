package io.slicewise.workload.tpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Drawn parameters keep the ranges of the specification's 2.4, and fill every query of the plan.
 */
class TpchParametersTest {
  private static final int DRAWS = 300;
  private static final List<Map<String, String>> DRAWN =
      IntStream.range(0, DRAWS).mapToObj(seed -> TpchParameters.random(seed, 1)).toList();

  @Test
  void drawsTheSameAgainFromTheSameSeed() {
    assertThat(TpchParameters.random(7, 1)).isEqualTo(DRAWN.get(7)).isNotEqualTo(DRAWN.get(8));
  }

  @Test
  void drawsForEachStreamFromASeedOfItsOwn() {
    Map<String, String> streams = TpchParameters.streams(7, 3);
    for (int stream = 1; stream <= 3; stream++) {
      String suffix = "." + stream;
      Map<String, String> its = new HashMap<>(DRAWN.get(7 + stream - 1));
      its.remove("q11-fraction");
      its.forEach((name, value) -> assertThat(streams).containsEntry(name + suffix, value));
    }
    assertThat(streams).hasSize(3 * (DRAWN.get(7).size() - 1));
  }

  @Test
  void reachesBothEndsOfTheRanges() {
    expectWhole("q01-delta", 60, 120);
    expectWhole("q02-size", 1, 50);
    expectWhole("q06-quantity", 24, 25);
    expectWhole("q18-quantity", 312, 315);
    expectWhole("q19-quantity1", 1, 10);
    expectWhole("q19-quantity2", 10, 20);
    expectWhole("q19-quantity3", 20, 30);
    assertThat(values("q06-discount"))
        .containsExactly("0.02", "0.03", "0.04", "0.05", "0.06", "0.07", "0.08", "0.09");
  }

  @Test
  void drawsDatesOnTheDaysThatTheSpecificationAllows() {
    expectDates("q03-date", "1995-03-01", "1995-03-31");
    expectDates("q04-date", "1993-01-01", "1997-10-01");
    expectDates("q05-date", "1993-01-01", "1997-01-01");
    expectDates("q10-date", "1993-02-01", "1995-01-01");
    expectDates("q14-date", "1993-01-01", "1997-12-01");
    expectDates("q15-date", "1993-01-01", "1997-10-01");
    assertThat(values("q12-date")).allMatch(date -> date.endsWith("-01-01")).hasSize(5);
  }

  @Test
  void drawsWordsFromTheSpecificationsLists() {
    assertThat(values("q02-type")).containsExactly("BRASS", "COPPER", "NICKEL", "STEEL", "TIN");
    assertThat(values("q03-segment"))
        .containsExactly("AUTOMOBILE", "BUILDING", "FURNITURE", "HOUSEHOLD", "MACHINERY");
    assertThat(values("q05-region"))
        .containsExactly("AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST");
    assertThat(values("q16-brand")).hasSize(25).allMatch(brand -> brand.matches("Brand#[1-5]{2}"));
    assertThat(values("q16-type")).allMatch(type -> type.matches("[A-Z]+ [A-Z]+")).hasSize(30);
    assertThat(values("q21-nation")).hasSize(25);
    assertThat(values("q12-mode1")).hasSize(7);
  }

  @Test
  void drawsDifferentValuesWhereTheyMustDiffer() {
    for (Map<String, String> drawn : DRAWN) {
      assertThat(drawn.get("q07-nation1")).isNotEqualTo(drawn.get("q07-nation2"));
      assertThat(drawn.get("q12-mode1")).isNotEqualTo(drawn.get("q12-mode2"));
      assertThat(numbered(drawn, "q16-size", 8)).hasSize(8);
      assertThat(numbered(drawn, "q22-code", 7))
          .hasSize(7)
          .allMatch(code -> Integer.parseInt(code) >= 10 && Integer.parseInt(code) <= 34);
    }
  }

  @Test
  void drawsTheRegionOfTheNation() {
    assertThat(DRAWN)
        .filteredOn(drawn -> drawn.get("q08-nation").equals("VIETNAM"))
        .isNotEmpty()
        .allMatch(drawn -> drawn.get("q08-region").equals("ASIA"));
  }

  @Test
  void dividesTheFractionByTheScale() {
    assertThat(TpchParameters.validation(1)).containsEntry("q11-fraction", "0.0001");
    assertThat(TpchParameters.validation(0.01)).containsEntry("q11-fraction", "0.01");
    assertThat(TpchParameters.validation(30).get("q11-fraction")).startsWith("0.0000033333");
  }

  @Test
  void namesEveryParameterOfThePlan() {
    Map<String, String> queries = TpchQueries.read(TpchAnswersTest.PLAN, DRAWN.get(0));
    Map<String, String> validation = TpchQueries.read(TpchAnswersTest.PLAN, Map.of());

    assertThat(queries.values()).noneMatch(Pattern.compile("\\$\\{").asPredicate());
    // Query 1 and so on have a value of their own each; which only the draw can have put there.
    assertThat(queries.entrySet())
        .allSatisfy(
            query -> assertThat(query.getValue()).isNotEqualTo(validation.get(query.getKey())));
  }

  private static void expectWhole(String name, int least, int most) {
    List<Integer> found = values(name).stream().map(Integer::valueOf).sorted().toList();
    assertThat(found).as(name).contains(least, most).allMatch(n -> n >= least && n <= most);
  }

  private static void expectDates(String name, String first, String last) {
    assertThat(values(name))
        .as(name)
        .contains(first, last)
        .allMatch(
            date ->
                !LocalDate.parse(date).isBefore(LocalDate.parse(first))
                    && !LocalDate.parse(date).isAfter(LocalDate.parse(last)));
  }

  private static Set<String> values(String name) {
    Set<String> values = new TreeSet<>();
    DRAWN.forEach(drawn -> values.add(drawn.get(name)));
    return values;
  }

  private static Set<String> numbered(Map<String, String> drawn, String name, int count) {
    Set<String> values = new HashSet<>();
    for (int number = 1; number <= count; number++) {
      values.add(drawn.get(name + number));
    }
    return values;
  }
}
