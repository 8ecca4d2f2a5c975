package io.slicewise.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.slicewise.workload.Option;
import io.slicewise.workload.OptionKind;
import io.slicewise.workload.WorkloadType;
import io.slicewise.workload.WorkloadType.Need;
import io.slicewise.workload.Workloads;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The definitions about workloads that the published schema must have, made from what the workloads
 * say of themselves. {@link #main} prints them, to be put into docs/experiment.schema.json.
 */
final class WorkloadSchema {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private WorkloadSchema() {}

  public static void main(String[] arguments) throws java.io.IOException {
    System.out.println(
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(parts()));
  }

  /** The definitions by name. */
  static ObjectNode parts() {
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
    target.setAll(kind(new OptionKind.Url()));
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
    ObjectNode properties = JSON.objectNode();
    for (Option option : options) {
      ObjectNode schema = described(sentence(option.about()));
      schema.setAll(kind(option.kind()));
      option.otherwise().ifPresent(value -> schema.set("default", JSON.pojoNode(value)));
      properties.set(option.name(), schema);
    }
    return properties;
  }

  private static ObjectNode kind(OptionKind kind) {
    ObjectNode schema = JSON.objectNode();
    if (kind instanceof OptionKind.Whole whole) {
      return schema
          .put("type", "integer")
          .put("minimum", whole.least())
          .put("maximum", whole.most());
    } else if (kind instanceof OptionKind.Levels levels) {
      ObjectNode one = kind(new OptionKind.Whole(levels.least(), levels.most()));
      ObjectNode several = JSON.objectNode().put("type", "array").put("minItems", 1);
      several.put("uniqueItems", true).set("items", one);
      ArrayNode either = JSON.arrayNode();
      either.add(one.deepCopy()).add(several);
      return schema.set("anyOf", either);
    } else if (kind instanceof OptionKind.Positive) {
      return schema.put("type", "number").put("exclusiveMinimum", 0);
    } else if (kind instanceof OptionKind.Flag) {
      return schema.put("type", "boolean");
    } else if (kind instanceof OptionKind.Word word) {
      return schema.set("enum", words(word.words()));
    } else if (kind instanceof OptionKind.Url) {
      return schema.put("type", "string").put("pattern", "^https?://[^/?#@\\s]+([/?#]\\S*)?$");
    } else if (kind instanceof OptionKind.Jdbc) {
      return schema.put("type", "string").put("pattern", "^jdbc:");
    } else if (kind instanceof OptionKind.Many many) {
      schema.put("type", "array").put("minItems", many.least()).put("maxItems", many.most());
      return schema.set("items", kind(many.each()));
    } else if (kind instanceof OptionKind.Group group) {
      schema.put("type", "object").put("additionalProperties", false);
      schema.set("required", words(needed(group.options())));
      return schema.set("properties", properties(group.options()));
    }
    return reference("#/definitions/text");
  }

  private static List<String> needed(List<Option> options) {
    return options.stream().filter(Option::needed).map(Option::name).toList();
  }

  private static ObjectNode described(String sentence) {
    return JSON.objectNode().put("description", sentence);
  }

  private static String sentence(String phrase) {
    return phrase.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + phrase.substring(1) + ".";
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
