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
 * object {@code request}.
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
  private final List<String> upgrade = List.of(UPGRADE.split("\\.", -1));
  private final long resolution;

  private record Named(Field field, Unit unit, List<String> path) {}

  JsonFormat(Map<Field, String> names, Unit unit, long resolution) {
    this.resolution = resolution;
    names.forEach(
        (field, name) ->
            fields.add(
                new Named(
                    field,
                    switch (field) {
                      case START, END -> Unit.STAMP;
                      case DURATION, UPSTREAM -> unit;
                      default -> Unit.MICROS;
                    },
                    List.of(name.split("\\.", -1)))));
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
          case START_ARRAY -> {
            upgraded |= is(upgrade, path, depth);
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
      if (is(named.path, path, depth)) {
        String text = parser.getText();
        return draft.take(named.field, named.unit, text, 0, text.length());
      }
    }
    return true;
  }

  private static boolean is(List<String> wanted, String[] path, int depth) {
    if (wanted.size() != depth + 1) {
      return false;
    }
    for (int i = depth; i >= 0; i--) {
      if (!wanted.get(i).equals(path[i])) {
        return false;
      }
    }
    return true;
  }
}
