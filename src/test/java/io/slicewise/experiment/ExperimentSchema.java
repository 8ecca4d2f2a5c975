package io.slicewise.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The published schemas under {@code docs/}, for tests. */
final class ExperimentSchema {
  static final Path HOME = Path.of(System.getProperty("slicewise.home", ".")).toAbsolutePath();
  static final YAMLMapper YAML = new YAMLMapper();

  private final JsonNode text;
  private final JsonSchema schema;

  private ExperimentSchema(JsonNode text, JsonSchema schema) {
    this.text = text;
    this.schema = schema;
  }

  static ExperimentSchema experiment() {
    return of("experiment.schema.json");
  }

  static ExperimentSchema profiles() {
    return of("scheduler-profile.schema.json");
  }

  private static ExperimentSchema of(String name) {
    Path file = HOME.resolve("docs").resolve(name).normalize();
    try {
      JsonSchema schema =
          JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7).getSchema(file.toUri());
      return new ExperimentSchema(YAML.readTree(file.toFile()), schema);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  List<String> complaints(JsonNode document) {
    return schema.validate(document).stream().map(Object::toString).toList();
  }

  /** The names under {@code properties} at a JSON pointer. */
  List<String> keys(String pointer) {
    List<String> keys = new java.util.ArrayList<>();
    text.at(pointer + "/properties").fieldNames().forEachRemaining(keys::add);
    return keys;
  }

  JsonNode at(String pointer) {
    return text.at(pointer);
  }
}
