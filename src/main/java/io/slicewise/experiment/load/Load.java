package io.slicewise.experiment.load;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.databind.util.NameTransformer;
import io.slicewise.workload.Workload;
import java.io.IOException;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The load of a cell: its level on each {@link Axis} that the experiment has. Ordered by users
 * first, then by the other axes in their order.
 *
 * @param levels in the order of the axes; an axis is absent if all trials of the experiment are
 *     alike in it
 */
@JsonSerialize(using = Load.LoadJson.Writer.class)
@JsonDeserialize(using = Load.LoadJson.Reader.class)
public record Load(Map<Axis, Level> levels) implements Comparable<Load> {
  /** The most users at once that a file may ask for. */
  /** The text of no load: nothing is loaded, or only a site's own users do it. */
  public static final String NONE = "no generated load";

  public static final int MOST_USERS = 100_000;

  public Load {
    Map<Axis, Level> ordered = new EnumMap<>(Axis.class);
    ordered.putAll(levels);
    levels = Collections.unmodifiableMap(ordered);
  }

  /** Returns a load of concurrent users; 0 if nothing is loaded. */
  public static Load of(int users) {
    return new Load(Map.of(Axis.USERS, Level.of(users)));
  }

  /** Returns a load of users and interfering neighbours. */
  public static Load beside(int neighbours, int users) {
    return of(users).with(Axis.NEIGHBOURS, Level.of(neighbours));
  }

  /** Returns this load with one part of the workload alone. */
  public Load only(String which) {
    return with(Axis.PART, Level.of(which));
  }

  public Load with(Axis axis, Level level) {
    Map<Axis, Level> more = new EnumMap<>(Axis.class);
    more.putAll(levels);
    more.put(axis, level);
    return new Load(more);
  }

  /** Returns its level on an axis; empty if the experiment does not have the axis. */
  public Optional<Level> level(Axis axis) {
    return Optional.ofNullable(levels.get(axis));
  }

  /** Returns its level on an axis as a whole number. */
  public OptionalInt count(Axis axis) {
    return level(axis)
        .map(level -> OptionalInt.of((int) level.number()))
        .orElse(OptionalInt.empty());
  }

  /** Returns the number of users whom it consists of; 0 without any. */
  public int users() {
    return count(Axis.USERS).orElse(0);
  }

  /** Returns whether nothing is loaded. */
  public boolean isNone() {
    return size() == 0;
  }

  /** Returns whether requests arrive whether or not earlier ones were answered. */
  public boolean isOpen() {
    return driver() == Axis.RATE;
  }

  /** Returns the properties by which a generator takes it, beyond the number of users. */
  public Map<String, String> properties() {
    Map<String, String> properties = new TreeMap<>();
    levels.forEach((axis, level) -> properties.putAll(axis.properties(level)));
    return properties;
  }

  /** Returns a number for seeds, which differs between loads of different size. */
  public long salt() {
    return size() == Math.rint(size()) ? (long) size() : Double.hashCode(size());
  }

  /** Returns the workload for a trial with this load. */
  public Workload under(Workload workload) {
    Workload its = workload;
    for (Map.Entry<Axis, Level> at : levels.entrySet()) {
      its = at.getKey().under(its, at.getValue());
    }
    return its;
  }

  /** Returns the axis that says how much load it is. */
  public Axis driver() {
    return levels.keySet().stream().filter(Axis::drives).findFirst().orElse(Axis.USERS);
  }

  /** Returns the axis that drives these loads. */
  public static Axis driver(List<Load> loads) {
    return loads.stream().map(Load::driver).findFirst().orElse(Axis.USERS);
  }

  /** Returns how much load it is, on its {@link #driver}; 0 if nothing is loaded. */
  public double size() {
    return level(driver()).map(Level::number).orElse(0.0);
  }

  /** Returns what is the same in all loads of a curve: the levels without the driver's. */
  public Load beside() {
    return without(driver());
  }

  /** Returns its level on the {@link #driver} alone. */
  public Load driven() {
    return level(driver()).map(size -> new Load(Map.of(driver(), size))).orElse(this);
  }

  public Load without(Axis axis) {
    Map<Axis, Level> others = new EnumMap<>(Axis.class);
    others.putAll(levels);
    others.remove(axis);
    return new Load(others);
  }

  /**
   * Returns the load as text: {@code 25 users}, {@code 1 user with 2 neighbours}, {@code 1 user
   * with q06}, {@link #NONE}; {@code " with 2 neighbours"} for what is {@link #beside} users.
   */
  public String text() {
    StringBuilder text = new StringBuilder();
    levels.forEach(
        (axis, level) ->
            text.append(axis.link()).append(axis.drives() && isNone() ? NONE : axis.text(level)));
    return text.toString();
  }

  /** Returns {@code " at 25 users"}; empty if nothing is loaded. */
  public String at() {
    return isNone() ? "" : " at " + text();
  }

  /** Returns {@code "25 users: "}; empty if nothing is loaded. */
  public String heading() {
    return isNone() ? "" : text() + ": ";
  }

  /** Returns the short form for file names: {@code u25}, {@code u25-i2}, {@code u1-q06}. */
  public String mark() {
    return String.join(
        "-", levels.entrySet().stream().map(at -> at.getKey().mark(at.getValue())).toList());
  }

  /** Returns the form for lists and columns: {@code 25}, {@code 25 + 2}, {@code 1 with q06}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    levels.forEach((axis, level) -> text.append(axis.shortLink()).append(level.text()));
    return text.toString();
  }

  /** Returns the loads' numbers as text: {@code 25, 50 users with 0, 2 neighbours}. */
  public static String span(List<Load> loads) {
    StringBuilder text = new StringBuilder();
    Axis.of(loads.stream()).stream()
        .filter(Axis::isNumeric)
        .forEach(axis -> text.append(axis.link()).append(axis.text(axis.levels(loads))));
    return text.toString();
  }

  /** Returns whether nothing is loaded in any of them. */
  public static boolean areNone(List<Load> loads) {
    return loads.stream().allMatch(Load::isNone);
  }

  @Override
  public int compareTo(Load other) {
    return Stream.of(Axis.values())
        .mapToInt(axis -> compare(level(axis), other.level(axis)))
        .filter(order -> order != 0)
        .findFirst()
        .orElse(0);
  }

  private static int compare(Optional<Level> one, Optional<Level> other) {
    return one.isPresent() && other.isPresent()
        ? one.get().compareTo(other.get())
        : Boolean.compare(one.isPresent(), other.isPresent());
  }

  /** The same in every process, unlike that of constants. */
  @Override
  public int hashCode() {
    return mark().hashCode();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Load load && levels.equals(load.levels);
  }

  /**
   * A load as JSON: a field for each axis that it has, inside the object that it belongs to where
   * that is unwrapped.
   */
  static final class LoadJson {
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
}
