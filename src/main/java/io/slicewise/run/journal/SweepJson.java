package io.slicewise.run.journal;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.slicewise.base.json.Json;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Schedulers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The JSON of a run directory: the shared mapping plus scheduler parameters, as {@code
 * {"scheduler":"credit","weight":256,"cap":0}}, and {@code
 * {"scheduler":"rtds-by-vcpu","vcpus":[…]}} where vCPUs differ.
 */
public final class SweepJson {
  public static final ObjectMapper MAPPER = mapper(Schedulers.KNOWN);

  private static final String SCHEDULER = "scheduler";
  private static final String VCPUS = "vcpus";
  private static final String BY_VCPU = "-by-vcpu";

  private SweepJson() {}

  /** The mapper where these schedulers can occur. */
  public static ObjectMapper mapper(Schedulers known) {
    return Json.mapper()
        .copy()
        .registerModule(
            new SimpleModule("scheduler-parameters")
                .addSerializer(SchedulerParameters.class, new Writer())
                .addDeserializer(SchedulerParameters.class, new Reader(known)));
  }

  private static final class Writer extends StdSerializer<SchedulerParameters> {
    private static final long serialVersionUID = 1L;

    Writer() {
      super(SchedulerParameters.class);
    }

    @Override
    public void serialize(SchedulerParameters value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      String scheduler = value.scheduler().xenName();
      out.writeStartObject();
      if (value.isByVcpu()) {
        out.writeStringField(SCHEDULER, scheduler + BY_VCPU);
        out.writeObjectField(VCPUS, value.each());
      } else {
        out.writeStringField(SCHEDULER, scheduler);
        for (Parameter<?> parameter : value.scheduler().parameters()) {
          out.writeObjectField(parameter.key(), value.get(parameter));
        }
      }
      out.writeEndObject();
    }
  }

  /**
   * Reads parameters, of which none may be missing but those that a later version knows and an
   * earlier one left as found.
   */
  private static final class Reader extends StdDeserializer<SchedulerParameters> {
    private static final long serialVersionUID = 1L;
    private final transient Schedulers known;

    Reader(Schedulers known) {
      super(SchedulerParameters.class);
      this.known = known;
    }

    @Override
    public SchedulerParameters deserialize(JsonParser in, DeserializationContext context)
        throws IOException {
      return read(context.readTree(in), context);
    }

    private SchedulerParameters read(JsonNode node, DeserializationContext context)
        throws IOException {
      String tag = node.path(SCHEDULER).asText();
      if (!tag.endsWith(BY_VCPU)) {
        return whole(scheduler(tag, context), node, context);
      }
      List<SchedulerParameters> vcpus = new ArrayList<>();
      Scheduler scheduler = scheduler(tag.substring(0, tag.length() - BY_VCPU.length()), context);
      for (JsonNode vcpu : node.path(VCPUS)) {
        vcpus.add(whole(scheduler, vcpu, context));
      }
      if (vcpus.isEmpty()) {
        context.reportInputMismatch(this, "%s has no %s", tag, VCPUS);
      }
      return SchedulerParameters.byVcpu(vcpus);
    }

    private Scheduler scheduler(String name, DeserializationContext context) throws IOException {
      Optional<Scheduler> scheduler =
          known.named(name).filter(found -> !found.parameters().isEmpty());
      return scheduler.isPresent()
          ? scheduler.get()
          : context.reportInputMismatch(this, "'%s' is not a known scheduler", name);
    }

    private static SchedulerParameters whole(
        Scheduler scheduler, JsonNode node, DeserializationContext context) throws IOException {
      SchedulerParameters read = SchedulerParameters.defaults(scheduler);
      for (Parameter<?> parameter : scheduler.parameters()) {
        JsonNode value = node.path(parameter.key());
        if (!value.isMissingNode()) {
          read = with(read, parameter, value, context);
        } else if (!read.leftAsFound().contains(parameter.key())) {
          context.reportInputMismatch(
              SchedulerParameters.class, "%s has no %s", scheduler.xenName(), parameter.key());
        }
      }
      return read;
    }

    private static <T> SchedulerParameters with(
        SchedulerParameters read,
        Parameter<T> parameter,
        JsonNode value,
        DeserializationContext context)
        throws IOException {
      return read.with(parameter, context.readTreeAsValue(value, parameter.kind().type()));
    }
  }
}
