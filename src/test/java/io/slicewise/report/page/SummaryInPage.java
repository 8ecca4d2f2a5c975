package io.slicewise.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/** Holds the tables beside the charts against {@code summary.json}, number by number. */
public final class SummaryInPage {
  private final Browser browser;
  private final JsonNode summary;

  /**
   * @param run the run directory whose page the browser shows
   */
  public SummaryInPage(Browser browser, Path run) {
    this.browser = browser;
    try {
      this.summary = Json.mapper().readTree(run.resolve("summary.json").toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Throughput and p95, or mean where that decides: mean, deviation, interval and n. */
  public void load(String chart, String metric, int digits) {
    List<List<String>> rows = browser.table("#chart-" + chart + " .same-numbers");
    assertThat(rows).hasSize(1 + summary.path("cells").size());
    for (List<String> row : rows.subList(1, rows.size())) {
      JsonNode cell = cell(row.get(0), row.get(1));
      JsonNode estimate = cell.path("metrics").path(metric);
      assertThat(row.get(2)).isEqualTo(String.valueOf(estimate.path("n").asInt()));
      same(row.get(3), estimate.path("mean"), 1, digits);
      same(row.get(4), estimate.path("deviation"), 1, digits);
      if (estimate.path("low").isNumber()) {
        List<String> ends = List.of(row.get(5).replaceAll("[\\[\\]]", "").split(", ", 2));
        same(ends.get(0), estimate.path("low"), 1, digits);
        same(ends.get(1), estimate.path("high"), 1, digits);
      } else {
        assertThat(row.get(5)).isEqualTo("–");
      }
    }
  }

  /** The shares of every domain at the load that the chart shows. */
  public void shares() {
    List<List<String>> rows = browser.table("#chart-shares .same-numbers");
    assertThat(rows).hasSizeGreaterThan(1);
    for (List<String> row : rows.subList(1, rows.size())) {
      JsonNode domain = domain(cell(row.get(1), row.get(2)), row.get(0));
      same(row.get(4).split(" ±", 2)[0], reading(domain, "run"), 100, 1);
      same(row.get(5).split(" ±", 2)[0], reading(domain, "wait"), 100, 1);
      same(row.get(6).split(" ±", 2)[0], reading(domain, "blocked"), 100, 1);
    }
  }

  private static void same(String shown, JsonNode value, double scale, int digits) {
    if (value.isNumber()) {
      assertThat(Double.parseDouble(shown))
          .isCloseTo(value.asDouble() * scale, within(0.51 * Math.pow(10, -digits)));
    } else {
      assertThat(shown).isEqualTo("–");
    }
  }

  private static JsonNode reading(JsonNode place, String name) {
    for (JsonNode reading : place.path("readings")) {
      if (reading.path("name").asText().equals(name)) {
        return reading.at("/estimate/mean");
      }
    }
    throw new AssertionError("no reading " + name);
  }

  private JsonNode cell(String profile, String users) {
    for (JsonNode cell : summary.path("cells")) {
      if (cell.path("profile").asText().equals(profile)
          && cell.path("users").asText().equals(users)) {
        return cell;
      }
    }
    throw new AssertionError("no cell " + profile + " at " + users);
  }

  private static JsonNode domain(JsonNode cell, String name) {
    for (JsonNode topic : cell.path("observed")) {
      for (JsonNode place : topic.path("places")) {
        if (place.at("/place/name").asText().equals(name)) {
          return place;
        }
      }
    }
    throw new AssertionError("no domain " + name);
  }
}
