package io.slicewise.base.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.slicewise.base.units.EnumName;
import java.io.IOException;
import java.util.Arrays;

/**
 * The JSON of all files: instants as ISO-8601 text, durations as ISO-8601 text ({@code PT20S}), a
 * number that could not be computed ({@code NaN}) as {@code null}, absent optionals as {@code
 * null}, constants in lower case with hyphens as in experiment files, keys in the order of the
 * record's components.
 */
public final class Json {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addModule(new Jdk8Module())
          .addModule(new JavaTimeModule())
          .addModule(
              new SimpleModule("slicewise")
                  .addSerializer(double.class, new DoubleToJson())
                  .addSerializer(Double.class, new DoubleToJson())
                  .addDeserializer(double.class, new DoubleFromJson())
                  .addDeserializer(Double.class, new DoubleFromJson()))
          .annotationIntrospector(new ConstantNames())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private Json() {}

  /** The shared mapper; thread-safe. It must not be reconfigured. */
  public static ObjectMapper mapper() {
    return MAPPER;
  }

  /**
   * Returns a value as indented JSON, without a line break at the end.
   *
   * @throws IllegalArgumentException if it contains anything other than data
   */
  public static String text(Object value) {
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(value.getClass() + " cannot be written as JSON", e);
    }
  }

  private static final class ConstantNames extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    @Override
    public String[] findEnumValues(
        MapperConfig<?> config, AnnotatedClass type, Enum<?>[] constants, String[] names) {
      return Arrays.stream(constants).map(EnumName::of).toArray(String[]::new);
    }
  }

  private static final class DoubleToJson extends StdSerializer<Double> {
    private static final long serialVersionUID = 1L;

    DoubleToJson() {
      super(Double.class);
    }

    @Override
    public void serialize(Double value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      if (Double.isFinite(value)) {
        out.writeNumber(value.doubleValue());
      } else {
        out.writeNull();
      }
    }
  }

  private static final class DoubleFromJson extends StdDeserializer<Double> {
    private static final long serialVersionUID = 1L;

    DoubleFromJson() {
      super(Double.class);
    }

    @Override
    public Double deserialize(JsonParser in, DeserializationContext context) throws IOException {
      return in.getDoubleValue();
    }

    @Override
    public Double getNullValue(DeserializationContext context) {
      return Double.NaN;
    }

    @Override
    public Object getAbsentValue(DeserializationContext context) {
      return Double.NaN;
    }
  }
}
