package io.slicewise.load.access;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.slicewise.load.access.LineFormats.LineFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One JSON object a line, with fields by name; {@code request.uri} is the field {@code uri} of the
 * object {@code request}, or a field of that name.
 */
final class JsonFormat implements LineFormat {
  /** The names of Caddy's log. */
  static final Map<Field, String> CADDY =
      Map.of(
          Field.END, "ts",
          Field.DURATION, "duration",
          Field.STATUS, "status",
          Field.METHOD, "request.method",
          Field.HOST, "request.host",
          Field.PATH, "request.uri",
          Field.BYTES, "size");

  private static final String UPGRADE = "request.headers.Upgrade";
  private static final JsonFactory FACTORY = new JsonFactory();

  private final List<Named> fields = new ArrayList<>();
  private final long resolution;

  private record Named(Field field, Unit unit, String name) {}

  /**
   * @param stamps the unit of points in time
   * @param unit of durations
   */
  JsonFormat(Map<Field, String> names, Unit stamps, Unit unit, long resolution) {
    this.resolution = resolution;
    names.forEach(
        (field, name) ->
            fields.add(
                new Named(
                    field,
                    switch (field) {
                      case START, END -> stamps;
                      case DURATION, UPSTREAM -> unit;
                      default -> Unit.MICROS;
                    },
                    name)));
  }

  @Override
  public long resolutionMicros() {
    return resolution;
  }

  @Override
  public Optional<Request> read(String line) {
    Draft draft = new Draft();
    boolean upgraded = false;
    try (JsonParser parser = FACTORY.createParser(line)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      String[] path = new String[MOST_DEPTH];
      int depth = 0;
      while (depth >= 0) {
        JsonToken token = parser.nextToken();
        if (token == null) {
          return Optional.empty();
        }
        switch (token) {
          case FIELD_NAME -> path[depth] = parser.currentName();
          case START_OBJECT -> {
            if (++depth >= MOST_DEPTH) {
              return Optional.empty();
            }
          }
          case END_OBJECT -> depth--;
          case VALUE_NULL -> {
            // A field without a value is as good as none.
          }
          case START_ARRAY -> {
            upgraded |= is(UPGRADE, path, depth);
            parser.skipChildren();
          }
          default -> {
            if (!taken(draft, path, depth, parser)) {
              return Optional.empty();
            }
          }
        }
      }
    } catch (IOException damaged) {
      return Optional.empty();
    }
    // Caddy writes 0 for the 101 of an upgraded connection.
    if (upgraded && draft.status() == 0) {
      draft.upgraded();
    }
    return draft.request();
  }

  private static final int MOST_DEPTH = 16;

  private boolean taken(Draft draft, String[] path, int depth, JsonParser parser)
      throws IOException {
    for (Named named : fields) {
      if (is(named.name, path, depth)) {
        String text = parser.getText();
        return draft.take(named.field, named.unit, text, 0, text.length());
      }
    }
    return true;
  }

  /** A name with dots is that of a field inside objects, or of one whose own name has dots. */
  private static boolean is(String wanted, String[] path, int depth) {
    int at = 0;
    for (int i = 0; i <= depth; i++) {
      if (path[i] == null || !wanted.startsWith(path[i], at)) {
        return false;
      }
      at += path[i].length();
      if (i < depth && (at >= wanted.length() || wanted.charAt(at++) != '.')) {
        return false;
      }
    }
    return at == wanted.length();
  }
}
