package io.slicewise.workload.tpc;

import io.slicewise.base.units.Phrase;
import io.trino.tpch.Distributions;
import io.trino.tpch.Nation;
import io.trino.tpch.NationGenerator;
import io.trino.tpch.Region;
import io.trino.tpch.RegionGenerator;
import io.trino.tpch.TextPool;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Draws the substitution parameters of the 22 queries by the rules of 2.4.1.3 to 2.4.22.3 of the
 * specification, from its lists of words. The same seed gives the same parameters everywhere.
 */
final class TpchParameters {
  /** Names, regions and keys need no comments, so a text of this size is enough. */
  private static final int SMALL_TEXT = 64 * 1024;

  private static final int COUNTRY_CODE_OFFSET = 10;
  private static final int YEARS = 5;
  private static final int FIRST_YEAR = 1993;
  private static final List<String> FIRST_WORDS =
      List.of("special", "pending", "unusual", "express");
  private static final List<String> SECOND_WORDS =
      List.of("packages", "requests", "accounts", "deposits");

  private final Map<String, String> drawn = new LinkedHashMap<>();
  private final SplittableRandom random;
  private final Distributions lists = Distributions.getDefaultDistributions();
  private final List<Nation> nations = new ArrayList<>();
  private final List<Region> regions = new ArrayList<>();

  private TpchParameters(long seed) {
    random = new SplittableRandom(seed);
    TextPool text = new TextPool(SMALL_TEXT, lists);
    new NationGenerator(lists, text).forEach(nations::add);
    new RegionGenerator(lists, text).forEach(regions::add);
  }

  /**
   * The validation values, which are the plan's defaults; only the fraction of query 11 depends on
   * the scale factor (the specification's 2.4.11.3).
   */
  static Map<String, String> validation(double scale) {
    BigDecimal fraction =
        new BigDecimal("0.0001").divide(BigDecimal.valueOf(scale), MathContext.DECIMAL64);
    return Map.of("q11-fraction", fraction.stripTrailingZeros().toPlainString());
  }

  /** Draws parameters, by the name of the plan's property. */
  static Map<String, String> random(long seed, double scale) {
    TpchParameters parameters = new TpchParameters(seed);
    parameters.draw();
    parameters.drawn.putAll(validation(scale));
    return Map.copyOf(parameters.drawn);
  }

  /**
   * Draws the parameters of each stream from its own seed: {@code seed + n - 1} for stream n,
   * counted from 1 (2.1.3.5 of the specification). The fraction of query 11 is not drawn.
   *
   * @return by the name of the plan's property and the stream's number, {@code q01-delta.1}
   */
  static Map<String, String> streams(long seed, int streams) {
    Map<String, String> all = new LinkedHashMap<>();
    for (int stream = 1; stream <= streams; stream++) {
      TpchParameters parameters = new TpchParameters(seed + stream - 1);
      parameters.draw();
      String suffix = "." + stream;
      parameters.drawn.forEach((name, value) -> all.put(name + suffix, value));
    }
    return all;
  }

  private void draw() {
    drawReports();
    drawVolumes();
    drawStocks();
    drawSuppliers();
  }

  private void drawReports() {
    put("q01-delta", between(60, 120));
    put("q02-size", between(1, 50));
    put("q02-type", type().split(" ", -1)[2]);
    put("q02-region", region());
    put("q03-segment", of(lists.getMarketSegments().getValues()));
    put("q03-date", LocalDate.of(1995, 3, between(1, 31)));
    put("q04-date", month(FIRST_YEAR, 1, 58));
    put("q05-region", region());
    put("q05-date", year());
    put("q06-date", year());
    put("q06-discount", Phrase.of("0.%02d", between(2, 9)));
    put("q06-quantity", between(24, 25));
  }

  private void drawVolumes() {
    List<Integer> two = distinct(2, 0, nations.size() - 1);
    put("q07-nation1", nations.get(two.get(0)).getName());
    put("q07-nation2", nations.get(two.get(1)).getName());
    Nation market = of(nations);
    put("q08-nation", market.getName());
    put("q08-region", regions.get((int) market.getRegionKey()).getName());
    put("q08-type", type());
    put("q09-color", of(lists.getPartColors().getValues()));
    put("q10-date", month(FIRST_YEAR, 2, 24));
    put("q11-nation", of(nations).getName());
    List<String> modes = lists.getShipModes().getValues();
    List<Integer> shipped = distinct(2, 0, modes.size() - 1);
    put("q12-mode1", modes.get(shipped.get(0)));
    put("q12-mode2", modes.get(shipped.get(1)));
    put("q12-date", year());
  }

  private void drawStocks() {
    put("q13-word1", of(FIRST_WORDS));
    put("q13-word2", of(SECOND_WORDS));
    put("q14-date", month(FIRST_YEAR, 1, 60));
    put("q15-date", month(FIRST_YEAR, 1, 58));
    put("q16-brand", brand());
    String[] words = type().split(" ", -1);
    put("q16-type", words[0] + " " + words[1]);
    many("q16-size", distinct(8, 1, 50));
    put("q17-brand", brand());
    put("q17-container", of(lists.getPartContainers().getValues()));
    put("q18-quantity", between(312, 315));
  }

  private void drawSuppliers() {
    put("q19-quantity1", between(1, 10));
    put("q19-quantity2", between(10, 20));
    put("q19-quantity3", between(20, 30));
    put("q19-brand1", brand());
    put("q19-brand2", brand());
    put("q19-brand3", brand());
    put("q20-color", of(lists.getPartColors().getValues()));
    put("q20-date", year());
    put("q20-nation", of(nations).getName());
    put("q21-nation", of(nations).getName());
    many("q22-code", distinct(7, COUNTRY_CODE_OFFSET, COUNTRY_CODE_OFFSET + nations.size() - 1));
  }

  private void put(String name, Object value) {
    drawn.put(name, String.valueOf(value));
  }

  private void many(String name, List<Integer> values) {
    for (int at = 0; at < values.size(); at++) {
      put(name + (at + 1), values.get(at));
    }
  }

  private int between(int least, int most) {
    return random.nextInt(least, most + 1);
  }

  private List<Integer> distinct(int count, int least, int most) {
    return random.ints(least, most + 1).distinct().limit(count).boxed().toList();
  }

  private <T> T of(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  private String type() {
    return of(lists.getPartTypes().getValues());
  }

  private String region() {
    return of(regions).getName();
  }

  private String brand() {
    return "Brand#" + between(1, 5) + between(1, 5);
  }

  /** The first of January of one of the five full years of shipping. */
  private LocalDate year() {
    return LocalDate.of(FIRST_YEAR + random.nextInt(YEARS), 1, 1);
  }

  /** The first day of one of {@code months} months, beginning with the given one. */
  private LocalDate month(int firstYear, int firstMonth, int months) {
    return LocalDate.of(firstYear, firstMonth, 1).plusMonths(random.nextInt(months));
  }
}
