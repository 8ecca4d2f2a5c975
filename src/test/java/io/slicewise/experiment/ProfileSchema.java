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
import io.slicewise.profile.Scope;
import io.slicewise.profile.TimeLimit;
import io.slicewise.profile.TimeShare;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The published schema of profile files. Its definitions of settings and schedulers are made from
 * the schedulers' descriptions; {@link SchemaTest} compares and writes it, like {@link
 * PublishedSchema}.
 */
final class ProfileSchema {
  static final Path FILE =
      ExperimentSchema.HOME.resolve("docs/scheduler-profile.schema.json").normalize();
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** What profiles set under any of Xen's schedulers. */
  private static final List<Scheduler> ANY_SCHEDULER =
      List.of(Scheduler.PLACEMENT, Scheduler.SPLIT);

  /** What profiles set under any scheduler of any hypervisor. */
  private static final List<Scheduler> OF_THE_HOST = List.of(Scheduler.KERNEL, Scheduler.DISK);

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
    Stream.of(ANY_SCHEDULER, OF_THE_HOST)
        .flatMap(List::stream)
        .forEach(one -> parts.set(one.xenName(), parameters(one)));
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
        .put("pattern", Scope.DOMAIN.namePattern());
    beyondDomains(properties, any, Scope.POOL, "Parameters of a whole cpupool by its name.");
    beyondDomains(
        properties, any, Scope.PLACE, "Where the vCPUs of a domain may run, by its name.");
    beyondDomains(
        properties,
        any,
        Scope.SPLIT,
        "A cpupool of its own under the profile's scheduler, by the name of the cpupool whose pCPUs"
            + " and guests it gets.");
    any.addObject().putArray("required").add(Scope.HOST.key());
    properties.putObject(Scope.HOST.key()).put("$ref", definition(Scheduler.KERNEL));
    beyondDomains(properties, any, Scope.DISK, "Parameters of a disk of the host by its name.");
    ((ObjectNode) properties.get(Scope.DISK.key()))
        .putObject("additionalProperties")
        .put("$ref", definition(Scheduler.DISK));
    ArrayNode all = settings.putArray("allOf");
    Schedulers.KNOWN
        .ofProfiles()
        .forEach(
            (name, its) -> {
              names.add(name);
              all.add(rule(its));
            });
    return settings;
  }

  private static void beyondDomains(
      ObjectNode properties, ArrayNode any, Scope scope, String description) {
    any.addObject().putArray("required").add(scope.key());
    properties
        .putObject(scope.key())
        .put("description", description)
        .put("type", "object")
        .put("minProperties", 1)
        .putObject("propertyNames")
        .put("pattern", scope.namePattern());
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
    if (scheduler.parameters().isEmpty()) {
      for (Role role : Role.values()) {
        properties.put(role.key(), false);
      }
      properties.put("domains", false);
    } else {
      for (Role role : Role.values()) {
        properties.putObject(role.key()).put("$ref", definition(scheduler));
      }
      named(properties, Scope.DOMAIN, scheduler);
    }
    scheduler
        .pool()
        .ifPresentOrElse(
            pool -> named(properties, Scope.POOL, pool),
            () -> properties.put(Scope.POOL.key(), false));
    for (Scheduler one : ANY_SCHEDULER) {
      if (scheduler.hypervisor().equals(one.hypervisor())) {
        named(properties, one.scope(), one);
      } else {
        properties.put(one.scope().key(), false);
      }
    }
    return rule;
  }

  private static void named(ObjectNode properties, Scope scope, Scheduler its) {
    properties
        .putObject(scope.key())
        .putObject("additionalProperties")
        .put("$ref", definition(its));
  }

  private static String definition(Scheduler scheduler) {
    return "#/definitions/" + scheduler.xenName();
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
