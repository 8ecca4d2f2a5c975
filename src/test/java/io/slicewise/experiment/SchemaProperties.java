package io.slicewise.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.lab.LabOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Schema and reader accept and refuse the same files, sound ones and spoilt ones, but for the rules
 * that only the reader can know.
 */
class SchemaProperties {
  private static final ExperimentSchema SCHEMA = ExperimentSchema.experiment();

  /** Rules across values, of ranges of durations, and about other files: beyond a schema. */
  private static final Pattern READER_ONLY =
      Pattern.compile(
          "is not one of (as-found|p\\d|\\S+-twice)|is below the|stop needs at least|stop adds"
              + " whole|must be between|is longer than|is out of range [0-9]+us|least slice|would"
              + " never run|which is not in 'domains'|is listed twice|share a directory|not"
              + " a whole number of seconds|no such file|is a directory|is not YAML|must be at"
              + " least 1s|is finer than|cannot be read|must be from \\S+ to"
              + "|cannot be used with 'lab'|switchback design|of design needs|share its users|must be \\[user@\\]host");

  private static final String[] VALUES = {
    "null",
    "true",
    "0",
    "1",
    "-1",
    "70000",
    "100001",
    "2.5",
    "\"\"",
    "\"x\"",
    "\"20\"",
    "\"20ms\"",
    "\"0.5%\"",
    "\"101%\"",
    "\"-x\"",
    "\"as-found\"",
    "\"observe\"",
    "\"web-app\"",
    "\"plan\"",
    "\"local\"",
    "\"credit\"",
    "\"sedf\"",
    "\"xl\"",
    "\"Domain-0\"",
    "\"a.yaml\"",
    "\"http://w/\"",
    "[]",
    "[\"web\"]",
    "[5]",
    "[5, 5]",
    "{}",
    "{\"weight\": 5}",
    "{\"name\": \"observe\"}",
    "{\"file\": \"a.yaml\"}",
    "{\"main\": [\"x\"]}",
    "\"jdbc:x://y/z\"",
    "[{\"name\": \"v\", \"target\": \"http://v/\"}]"
  };

  private static final String[] KEYS = {
    "name",
    "host",
    "lab",
    "users",
    "weight",
    "slice",
    "scheduler",
    "main",
    "only",
    "file",
    "plan",
    "target",
    "guests",
    "database",
    "database-password-file",
    "address",
    "local",
    "port",
    "domains",
    "wieght"
  };

  private static Path file;

  @BeforeContainer
  static void makeFile() throws IOException {
    file = Files.createTempFile("experiment", ".yaml");
  }

  @AfterContainer
  static void removeFile() throws IOException {
    Files.delete(file);
  }

  @Property(tries = 100)
  void theSchemaAcceptsEverySoundExperiment(@ForAll("experiments") Experiment experiment)
      throws IOException {
    assertThat(SCHEMA.complaints(tree(experiment))).isEmpty();
  }

  @Property(tries = 600)
  void schemaAndReaderAgreeOnSpoiltExperiments(
      @ForAll("experiments") Experiment experiment, @ForAll Random random) throws IOException {
    JsonNode tree = tree(experiment);
    spoil(tree, random);
    Files.writeString(file, tree.toString());
    List<String> complaints = SCHEMA.complaints(tree);
    List<String> faults = faults();
    assertThat(faults.isEmpty() && !complaints.isEmpty())
        .as("only the schema refuses %s: %s", tree, complaints)
        .isFalse();
    assertThat(
            complaints.isEmpty()
                && faults.stream().anyMatch(fault -> !READER_ONLY.matcher(fault).find()))
        .as("only the reader refuses %s: %s", tree, faults)
        .isFalse();
  }

  private static List<String> faults() {
    try {
      ExperimentFiles.read(file, LabOptions.keys());
      return List.of();
    } catch (SlicewiseException e) {
      return e.getMessage().lines().toList();
    }
  }

  /** Replaces, removes or adds one value somewhere outside the lab's own part. */
  private static void spoil(JsonNode tree, Random random) throws IOException {
    List<Consumer<JsonNode>> edits = new ArrayList<>();
    collect(tree, random, edits);
    JsonNode value = ExperimentSchema.YAML.readTree(VALUES[random.nextInt(VALUES.length)]);
    edits.get(random.nextInt(edits.size())).accept(value);
  }

  private static void collect(JsonNode node, Random random, List<Consumer<JsonNode>> edits) {
    if (node instanceof ObjectNode object) {
      String added = KEYS[random.nextInt(KEYS.length)];
      edits.add(value -> object.set(added, value));
      List<String> keys = new ArrayList<>();
      object.fieldNames().forEachRemaining(keys::add);
      for (String key : keys) {
        edits.add(value -> object.set(key, value));
        edits.add(value -> object.remove(key));
        if (!key.equals("lab")) {
          collect(object.get(key), random, edits);
        }
      }
    } else if (node instanceof ArrayNode array) {
      edits.add(value -> array.add(value));
      for (int i = 0; i < array.size(); i++) {
        int place = i;
        edits.add(value -> array.set(place, value));
        edits.add(value -> array.remove(place));
        collect(array.get(i), random, edits);
      }
    }
  }

  private static JsonNode tree(Experiment experiment) throws IOException {
    ObjectNode tree =
        (ObjectNode) ExperimentSchema.YAML.readTree(ExperimentFiles.toYaml(experiment));
    if (tree.has("lab")) {
      tree.putObject("lab").put("pcpus", 4); // any map round-trips, but only known keys are sound
    }
    return tree;
  }

  @Provide
  Arbitrary<Experiment> experiments() {
    return Experiments.any();
  }
}
