package io.slicewise.sweep.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.slicewise.base.yaml.OptionKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The schema that editors use for policy files says what the reader does. */
class PolicySchemaTest {
  private static final Path FILE =
      Path.of(System.getProperty("slicewise.home", "."), "docs", "policy.schema.json");

  private static String text() throws IOException {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("$schema", "http://json-schema.org/draft-07/schema#");
    schema.put("title", "Slicewise policy");
    schema.putAll(new OptionKind.Group(PolicyFile.KEYS).schema());
    // Definitions are those of experiment files.
    return new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .writeValueAsString(schema)
            .replace("\r\n", "\n")
            .replace("\"#/definitions/", "\"experiment.schema.json#/definitions/")
        + "\n";
  }

  @Test
  void publishedSchemaIsWhatTheReaderDescribes() throws IOException {
    if (Boolean.getBoolean("slicewise.write-schemas")) {
      Files.writeString(FILE, text());
    }
    assertThat(Files.readString(FILE))
        .as("run mvn test -Dtest=PolicySchemaTest -Dslicewise.write-schemas=true")
        .isEqualTo(text());
  }
}
