package io.slicewise.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.experiment.file.AimSection;
import io.slicewise.experiment.file.DesignSection;
import io.slicewise.experiment.file.ExperimentReader;
import io.slicewise.experiment.file.HostSection;
import io.slicewise.experiment.file.LimitsSection;
import io.slicewise.experiment.file.ProfilesSection;
import io.slicewise.experiment.file.SimulationSection;
import io.slicewise.experiment.file.StopSection;
import io.slicewise.experiment.file.TuningSection;
import io.slicewise.experiment.file.WatchingSection;
import io.slicewise.lab.LabOptions;
import io.slicewise.workload.WorkloadType;
import io.slicewise.workload.WorkloadType.Need;
import io.slicewise.workload.Workloads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The published schema as the readers' own descriptions make it: what relates keys to each other is
 * kept from {@code docs/experiment.schema.json}, and each part that a list of {@link Option}s
 * describes takes the place of what the file has there. {@link SchemaTest} fails where the file
 * differs, and writes it when run with {@code -Dslicewise.write-schemas=true}.
 */
final class PublishedSchema {
  static final Path FILE = ExperimentSchema.HOME.resolve("docs/experiment.schema.json").normalize();
  private static final ObjectMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private PublishedSchema() {}

  /** The text of the file. */
  static String text() throws IOException {
    ObjectNode schema = (ObjectNode) MAPPER.readTree(FILE.toFile());
    ObjectNode definitions = (ObjectNode) schema.get("definitions");
    definitions.setAll(parts());
    ((ObjectNode) definitions.get("host")).set("properties", properties(HostSection.options()));
    ObjectNode top = (ObjectNode) schema.get("properties");
    part(top, "lab", LabOptions.keys());
    part(top, "limits", LimitsSection.OPTIONS);
    part(top, "watch", WatchingSection.OPTIONS);
    part(top, "simulation", SimulationSection.OPTIONS);
    ((ObjectNode) top.at("/simulation/properties/demands")).put("minProperties", 1);
    part(top, "stop", StopSection.OPTIONS);
    part(top, "design", DesignSection.OPTIONS);
    part(top, "tune", TuningSection.OPTIONS);
    top.setAll(properties(ExperimentReader.OPTIONS));
    top.setAll(properties(ExperimentReader.related()));
    top.setAll(properties(AimSection.OPTIONS));
    definitions.set(
        "profile-file",
        MAPPER.valueToTree(new OptionKind.Group(ProfilesSection.FROM_FILE).schema()));
    return MAPPER.writeValueAsString(schema).replace("\r\n", "\n") + "\n";
  }

  private static void part(ObjectNode top, String name, List<Option> options) {
    ObjectNode schema = described(top.get(name).get("description").asText());
    schema.setAll((ObjectNode) MAPPER.valueToTree(new OptionKind.Group(options).schema()));
    top.set(name, schema);
  }

  /** The definitions by name. */
  private static ObjectNode parts() {
    ObjectNode parts = JSON.objectNode();
    parts.set("workload-name", JSON.objectNode().set("enum", words(Workloads.names())));
    parts.set("workload", workload());
    parts.set("workload-on-a-host", onAHost());
    return parts;
  }

  private static ObjectNode workload() {
    ObjectNode properties = JSON.objectNode();
    properties.set("name", reference("#/definitions/workload-name"));
    properties.set(
        "plan",
        described("A JMeter plan, relative to this file. Default: the workload's own.")
            .put("$ref", "#/definitions/text"));
    ObjectNode target = described("Where the first request goes.");
    target.setAll((ObjectNode) MAPPER.valueToTree(new OptionKind.Url().schema()));
    properties.set("target", target);
    ObjectNode more = described("Further JMeter properties.").put("type", "object");
    more.set("propertyNames", JSON.objectNode().put("pattern", "\\S"));
    more.set(
        "additionalProperties",
        JSON.objectNode().set("type", words(List.of("string", "number", "boolean"))));
    properties.set("properties", more);
    TreeSet<String> own = new TreeSet<>();
    Workloads.types().forEach(type -> type.options().forEach(option -> own.add(option.name())));
    own.forEach(name -> properties.put(name, true));
    ObjectNode workload = JSON.objectNode().put("type", "object");
    workload.set("required", words(List.of("name")));
    workload.put("additionalProperties", false);
    workload.set("properties", properties);
    ArrayNode each = workload.putArray("allOf");
    Workloads.types().forEach(type -> each.add(ruleOf(type)));
    return workload;
  }

  private static ObjectNode ruleOf(WorkloadType type) {
    List<String> keys = new ArrayList<>(List.of("name"));
    if (type.plan() != Need.NO) {
      keys.add("plan");
    }
    if (type.target() != Need.NO) {
      keys.add("target");
    }
    if (type.loads()) {
      keys.add("properties");
    }
    type.options().forEach(option -> keys.add(option.name()));
    ObjectNode then = JSON.objectNode();
    then.set("propertyNames", JSON.objectNode().set("enum", words(keys)));
    if (type.plan() == Need.MUST) {
      then.set("required", words(List.of("plan")));
    }
    if (!type.options().isEmpty()) {
      then.set("properties", properties(type.options()));
    }
    ObjectNode rule = JSON.objectNode();
    rule.set("if", named(type));
    rule.set("then", then);
    return rule;
  }

  private static ObjectNode named(WorkloadType type) {
    ObjectNode name = JSON.objectNode();
    name.set("name", JSON.objectNode().put("const", type.name()));
    return JSON.objectNode().set("properties", name);
  }

  /** What must be there unless the embedded lab brings it. */
  private static ObjectNode onAHost() {
    ArrayNode rules = JSON.arrayNode();
    for (WorkloadType type : Workloads.types()) {
      List<String> needed = new ArrayList<>();
      if (type.target() == Need.MUST) {
        needed.add("target");
      }
      type.options().stream().filter(Option::needed).forEach(option -> needed.add(option.name()));
      if (!needed.isEmpty()) {
        ObjectNode object = named(type).put("type", "object");
        object.set("required", words(List.of("name")));
        ArrayNode either = JSON.arrayNode();
        either.add(JSON.objectNode().put("const", type.name())).add(object);
        ObjectNode rule = JSON.objectNode();
        rule.set("if", JSON.objectNode().set("anyOf", either));
        rule.set("then", JSON.objectNode().put("type", "object").set("required", words(needed)));
        rules.add(rule);
      }
    }
    return JSON.objectNode().set("allOf", rules);
  }

  private static ObjectNode properties(List<Option> options) {
    return MAPPER.valueToTree(Option.schemas(options));
  }

  private static ObjectNode described(String sentence) {
    return JSON.objectNode().put("description", sentence);
  }

  private static ObjectNode reference(String to) {
    return JSON.objectNode().put("$ref", to);
  }

  private static ArrayNode words(List<String> words) {
    ArrayNode array = JSON.arrayNode();
    words.forEach(array::add);
    return array;
  }
}
