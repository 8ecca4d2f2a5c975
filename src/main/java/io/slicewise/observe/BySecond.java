package io.slicewise.observe;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import java.io.IOException;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/**
 * Values by seconds since the start of a window, in the order of the seconds. They are held in
 * arrays, because a run of some days has millions of them.
 */
@JsonDeserialize(using = BySecond.Reader.class)
public final class BySecond {
  private final int[] seconds;
  private final double[] values;

  private BySecond(int[] seconds, double[] values) {
    this.seconds = seconds;
    this.values = values;
  }

  /** Returns the values of a map. */
  public static BySecond of(SortedMap<Integer, Double> values) {
    return new BySecond(
        values.keySet().stream().mapToInt(Integer::intValue).toArray(),
        values.values().stream().mapToDouble(Double::doubleValue).toArray());
  }

  public int size() {
    return seconds.length;
  }

  public boolean isEmpty() {
    return seconds.length == 0;
  }

  /** Returns the last second that has a value; there must be one. */
  public int lastSecond() {
    return seconds[seconds.length - 1];
  }

  /** Returns the values from a second to before another; unknown ones are {@code NaN}. */
  public DoubleStream values(int from, int to) {
    return Arrays.stream(values, place(from), place(to));
  }

  private int place(int second) {
    int found = Arrays.binarySearch(seconds, second);
    return found < 0 ? -found - 1 : found;
  }

  @JsonValue
  private SortedMap<Integer, Double> map() {
    SortedMap<Integer, Double> map = new TreeMap<>();
    for (int i = 0; i < seconds.length; i++) {
      map.put(seconds[i], values[i]);
    }
    return map;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BySecond that
        && Arrays.equals(seconds, that.seconds)
        && Arrays.equals(values, that.values);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(seconds) + Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return map().toString();
  }

  /** Reads a JSON object whose keys are seconds. */
  static final class Reader extends StdDeserializer<BySecond> {
    private static final long serialVersionUID = 1L;
    private static final int SOME = 64;

    Reader() {
      super(BySecond.class);
    }

    @Override
    public BySecond deserialize(JsonParser in, DeserializationContext context) throws IOException {
      int[] seconds = new int[SOME];
      double[] values = new double[SOME];
      int size = 0;
      for (String key = in.nextFieldName(); key != null; key = in.nextFieldName()) {
        if (size == seconds.length) {
          seconds = Arrays.copyOf(seconds, 2 * size);
          values = Arrays.copyOf(values, 2 * size);
        }
        seconds[size] = Integer.parseInt(key);
        values[size] = in.nextToken() == JsonToken.VALUE_NULL ? Double.NaN : in.getDoubleValue();
        if (size > 0 && seconds[size] <= seconds[size - 1]) {
          context.reportInputMismatch(BySecond.class, "second %s is out of order", key);
        }
        size++;
      }
      return new BySecond(Arrays.copyOf(seconds, size), Arrays.copyOf(values, size));
    }
  }
}
