package io.slicewise.experiment;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.databind.util.NameTransformer;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;

/**
 * A load as JSON: a field for each axis that it has, inside the object that it belongs to where
 * that is unwrapped.
 */
final class LoadJson {
  private LoadJson() {}

  static final class Writer extends StdSerializer<Load> {
    private static final long serialVersionUID = 1L;

    private final boolean unwrapped;

    Writer() {
      this(false);
    }

    private Writer(boolean unwrapped) {
      super(Load.class);
      this.unwrapped = unwrapped;
    }

    @Override
    public void serialize(Load load, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      if (!unwrapped) {
        out.writeStartObject(load);
      }
      for (Map.Entry<Axis, Level> at : load.levels().entrySet()) {
        out.writeObjectField(at.getKey().key(), at.getValue().value());
      }
      if (!unwrapped) {
        out.writeEndObject();
      }
    }

    @Override
    public JsonSerializer<Load> unwrappingSerializer(NameTransformer names) {
      return new Writer(true);
    }

    @Override
    public boolean isUnwrappingSerializer() {
      return unwrapped;
    }
  }

  static final class Reader extends StdDeserializer<Load> {
    private static final long serialVersionUID = 1L;

    Reader() {
      super(Load.class);
    }

    @Override
    public Load deserialize(JsonParser in, DeserializationContext context) throws IOException {
      JsonNode fields = in.readValueAsTree();
      Map<Axis, Level> levels = new EnumMap<>(Axis.class);
      for (Axis axis : Axis.values()) {
        JsonNode value = fields.path(axis.key());
        if (value.isNumber()) {
          levels.put(axis, Level.of(value.doubleValue()));
        } else if (value.isTextual()) {
          levels.put(axis, Level.of(value.textValue()));
        }
      }
      return new Load(levels);
    }

    @Override
    public JsonDeserializer<Load> unwrappingDeserializer(NameTransformer names) {
      return new Reader();
    }
  }
}
