package io.slicewise.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.slicewise.base.units.PercentText;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.Role;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.Schedulers;
import io.slicewise.profile.TimeLimit;
import io.slicewise.profile.TimeShare;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The published schema of profile files. Its definitions of settings and schedulers are made from
 * the schedulers' descriptions; {@link SchemaTest} compares and writes it, like {@link
 * PublishedSchema}.
 */
final class ProfileSchema {
  static final Path FILE =
      ExperimentSchema.HOME.resolve("docs/scheduler-profile.schema.json").normalize();
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private ProfileSchema() {}

  /** The text of the file. */
  static String text() throws IOException {
    ObjectNode schema = (ObjectNode) MAPPER.readTree(FILE.toFile());
    ((ObjectNode) schema.get("definitions")).setAll(parts());
    return MAPPER.writeValueAsString(schema).replace("\r\n", "\n") + "\n";
  }

  /** The definitions by name: {@code settings} and one for each scheduler. */
  private static ObjectNode parts() {
    ObjectNode parts = JSON.objectNode();
    parts.set("settings", settings());
    Schedulers.KNOWN
        .settable()
        .forEach(
            (name, scheduler) -> {
              parts.set(name, parameters(scheduler));
              scheduler.pool().ifPresent(pool -> parts.set(pool.xenName(), parameters(pool)));
            });
    parts.set(Scheduler.PLACEMENT.xenName(), parameters(Scheduler.PLACEMENT));
    return parts;
  }

  private static ObjectNode settings() {
    ObjectNode settings = JSON.objectNode().put("type", "object");
    settings.putArray("required").add("scheduler");
    ArrayNode any = settings.putArray("anyOf");
    ObjectNode properties = settings.putObject("properties");
    ObjectNode scheduler = properties.putObject("scheduler");
    scheduler.put("description", "The scheduler the profile needs, by its hypervisor's name.");
    ArrayNode names = scheduler.putArray("enum");
    for (Role role : Role.values()) {
      any.addObject().putArray("required").add(role.key());
      properties
          .putObject(role.key())
          .put("description", "Parameters of " + described(role) + ".")
          .put("type", "object");
    }
    any.addObject().putArray("required").add("domains");
    properties
        .putObject("domains")
        .put("description", "Parameters of a domain by its name; they win over its role's.")
        .put("type", "object")
        .put("minProperties", 1)
        .putObject("propertyNames")
        .put("pattern", "\\S");
    any.addObject().putArray("required").add("pools");
    properties
        .putObject("pools")
        .put("description", "Parameters of a whole cpupool by its name.")
        .put("type", "object")
        .put("minProperties", 1);
    any.addObject().putArray("required").add("placement");
    properties
        .putObject("placement")
        .put("description", "Where the vCPUs of a domain may run, by its name.")
        .put("type", "object")
        .put("minProperties", 1)
        .putObject("propertyNames")
        .put("pattern", "\\S");
    ArrayNode all = settings.putArray("allOf");
    Schedulers.KNOWN
        .settable()
        .forEach(
            (name, its) -> {
              names.add(name);
              all.add(rule(its));
            });
    return settings;
  }

  private static String described(Role role) {
    return role == Role.DOM0 ? "Domain-0" : "each " + role.key() + " guest";
  }

  private static ObjectNode rule(Scheduler scheduler) {
    ObjectNode rule = JSON.objectNode();
    rule.putObject("if")
        .putObject("properties")
        .putObject("scheduler")
        .put("const", scheduler.xenName());
    ObjectNode properties = rule.putObject("then").putObject("properties");
    String definition = "#/definitions/" + scheduler.xenName();
    for (Role role : Role.values()) {
      properties.putObject(role.key()).put("$ref", definition);
    }
    properties.putObject("domains").putObject("additionalProperties").put("$ref", definition);
    scheduler
        .pool()
        .ifPresentOrElse(
            pool ->
                properties
                    .putObject("pools")
                    .putObject("additionalProperties")
                    .put("$ref", "#/definitions/" + pool.xenName()),
            () -> properties.put("pools", false));
    if (scheduler.hypervisor().equals(Scheduler.PLACEMENT.hypervisor())) {
      properties
          .putObject("placement")
          .putObject("additionalProperties")
          .put("$ref", "#/definitions/" + Scheduler.PLACEMENT.xenName());
    } else {
      properties.put("placement", false);
    }
    return rule;
  }

  private static ObjectNode parameters(Scheduler scheduler) {
    ObjectNode parameters = JSON.objectNode().put("type", "object");
    parameters.put("additionalProperties", false);
    ObjectNode properties = parameters.putObject("properties");
    scheduler.parameters().forEach(one -> properties.set(one.key(), parameter(one)));
    scheduler
        .limits()
        .forEach(limit -> limit.percent().ifPresent(key -> inPercent(key, limit, parameters)));
    scheduler
        .share()
        .ifPresent(
            time -> time.instead().ifPresent(weight -> either(parameters, weight.key(), time)));
    return parameters;
  }

  private static <T> ObjectNode parameter(Parameter<T> parameter) {
    ObjectNode node = JSON.objectNode().put("description", parameter.description());
    node.setAll((ObjectNode) MAPPER.valueToTree(parameter.kind().schema()));
    node.set("default", MAPPER.valueToTree(parameter.kind().toYaml(parameter.defaultValue())));
    return node;
  }

  /** The quota in percent of its period, which cannot stand beside the quota. */
  private static void inPercent(String key, TimeLimit limit, ObjectNode parameters) {
    ObjectNode property = ((ObjectNode) parameters.get("properties")).putObject(key);
    property.put(
        "description",
        "The %s in percent of %s, or none.".formatted(limit.quota().key(), limit.period().key()));
    ArrayNode forms = property.putArray("oneOf");
    forms.addObject().put("type", "string").put("pattern", PercentText.PATTERN);
    forms.addObject().put("const", "none");
    parameters.putObject("not").putArray("required").add(key).add(limit.quota().key());
  }

  private static void either(ObjectNode parameters, String weight, TimeShare time) {
    ObjectNode when = parameters.putObject("if");
    when.putArray("required").add(weight);
    when.putObject("properties").putObject(weight).put("minimum", 1);
    ArrayNode none = parameters.putObject("then").putObject("not").putArray("anyOf");
    none.addObject().putArray("required").add(time.whole().key());
    none.addObject().putArray("required").add(time.part().key());
  }
}
