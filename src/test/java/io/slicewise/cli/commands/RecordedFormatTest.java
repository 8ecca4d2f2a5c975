package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines;
import io.slicewise.host.monitor.Dom0Counters;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.observe.Topic;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects runs of the format before there were observers: {@code recorded-run} was recorded on the
 * lab, and reported, by that version, in which a {@code trial.json} had a key for each observer.
 * The report of this version is the same but for the names of keys.
 */
class RecordedFormatTest {
  private static final Pattern CONSTANT = Pattern.compile("\"[A-Z][A-Z0-9_]+\"");
  private static final Path RECORDED = Path.of("src/test/resources/recorded-run");

  @TempDir private Path directory;
  private Path run;

  @BeforeEach
  void copy() throws IOException {
    run = directory.resolve("run");
    FileUtils.copyDirectory(RECORDED.toFile(), run.toFile());
    Files.delete(run.resolve("summary.json"));
    FileUtils.deleteDirectory(run.resolve("tables").toFile());
  }

  @Test
  void reportsTheSameSummaryButForTheNamesOfKeys() throws IOException {
    assertThat(CommandLines.run("report", run.toString()).exit()).isZero();

    String recorded = Files.readString(RECORDED.resolve("summary.json"));
    JsonNode then =
        Json.mapper().readTree(CONSTANT.matcher(recorded).replaceAll(RecordedFormatTest::plain));
    then.get("cells").forEach(cell -> rename((ObjectNode) cell));
    JsonNode now = Json.mapper().readTree(run.resolve("summary.json").toFile());
    assertThat(now.get("cells")).hasSize(2);
    // Notes are sentences, whose words may change.
    assertThat(now.get("notes").size()).isEqualTo(then.get("notes").size());
    ((ObjectNode) now).remove(List.of("notes", "answer"));
    ((ObjectNode) then).remove("notes");
    assertThat(now).isEqualTo(then);
  }

  @Test
  void reportsTheSameTables() throws IOException {
    assertThat(CommandLines.run("report", run.toString()).exit()).isZero();

    for (String table : List.of("load.csv", "shares.csv", "dom0.csv")) {
      assertThat(run.resolve("tables").resolve(table))
          .hasSameTextualContentAs(RECORDED.resolve("tables").resolve(table));
    }
  }

  @Test
  void everyTrialIsSoundAndHasItsObservations() {
    assertThat(RunDirectory.open(run).load().damages()).isEmpty();
    assertThat(RunDirectory.open(run).results())
        .hasSize(4)
        .allMatch(TrialResult::valid)
        .allSatisfy(
            trial -> {
              assertThat(trial.observed(HypervisorShares.TOPIC).orElseThrow().sightings())
                  .hasSize(4);
              assertThat(trial.observed(HypervisorShares.TOPIC).orElseThrow().series())
                  .isNotEmpty();
              assertThat(
                      trial
                          .observed(Dom0Counters.TOPIC)
                          .orElseThrow()
                          .sightings()
                          .get(0)
                          .value(Dom0Counters.SECONDS))
                  .isPositive();
              assertThat(trial.loaded().generators()).hasSize(1);
              assertThat(trial.host().surroundings()).isPresent();
            });
  }

  private static String plain(MatchResult constant) {
    return constant.group().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The keys of today for those of the recorded summary. */
  private static void rename(ObjectNode cell) {
    ArrayNode observed = Json.mapper().createArrayNode();
    ArrayNode places = topic(observed, HypervisorShares.TOPIC);
    for (JsonNode domain : cell.remove("domains")) {
      ArrayNode readings = place(places, domain.get("domain").asText(), domain.get("vcpus"));
      reading(readings, "run", domain.get("run"));
      reading(readings, "wait", domain.get("waiting"));
      reading(readings, "blocked", domain.get("blocked"));
    }
    JsonNode dom0 = cell.remove("dom0");
    ArrayNode readings =
        place(topic(observed, Dom0Counters.TOPIC), "Domain-0", Json.mapper().valueToTree(0));
    reading(readings, "busy", dom0.get("busy"));
    reading(readings, "stolen", dom0.get("stolen"));
    reading(readings, "waiting_for_disks", dom0.get("waitingForDisks"));
    reading(readings, "busiest_disk", dom0.get("busiestDisk"));
    cell.set("observed", observed);
  }

  private static ArrayNode topic(ArrayNode observed, Topic topic) {
    ObjectNode entry = observed.addObject();
    entry.set("topic", Json.mapper().valueToTree(topic));
    return entry.putArray("places");
  }

  private static ArrayNode place(ArrayNode places, String name, JsonNode cpus) {
    ObjectNode entry = places.addObject();
    entry.putObject("place").put("kind", "domain").put("name", name).set("cpus", cpus);
    return entry.putArray("readings");
  }

  private static void reading(ArrayNode readings, String name, JsonNode estimate) {
    readings.addObject().put("name", name).put("unit", "share").set("estimate", estimate);
  }
}
