package io.slicewise.load.access;

import io.slicewise.base.units.EnumName;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The formats of access logs, by name.
 *
 * @param name one of {@link #NAMES}
 * @param line of nginx or Apache, what was configured instead of the line that is recommended; of a
 *     pattern, the regular expression
 * @param fields of JSON, by the name of the field
 * @param unit of durations in JSON and patterns
 */
public record LineFormats(
    String name, Optional<String> line, Map<String, String> fields, Optional<String> unit) {
  private static final String NGINX = "nginx";
  private static final String APACHE = "apache";
  private static final String HAPROXY = "haproxy";
  private static final String CADDY = "caddy";
  private static final String JSON = "json";
  private static final String PATTERN = "pattern";

  public static final List<String> NAMES = List.of(NGINX, APACHE, HAPROXY, CADDY, JSON, PATTERN);
  public static final List<String> UNITS = List.of("s", "ms", "us", "ns");

  /** Lines of the formats {@code common} and {@code combined}. */
  private static final Pattern COMBINED =
      Pattern.compile(
          "^\\S+ \\S+ .{0,200}\\[\\d\\d/\\w{3}/\\d{4}:[\\d:]{8} [+-]\\d{4}\\] \".*\" \\d{3} (\\d+|-).*");

  private static final long MICRO = 1;
  private static final long MILLI = 1000;

  public LineFormats {
    fields = Map.copyOf(fields);
  }

  /** Returns a format with its usual line. */
  public static LineFormats named(String name) {
    return new LineFormats(name, Optional.empty(), Map.of(), Optional.empty());
  }

  /**
   * Returns the format.
   *
   * @param zone of the log's machine, for a format whose times have none
   * @throws IllegalArgumentException if it cannot be used: a clause that begins with a verb
   */
  public LineFormat at(ZoneOffset zone) {
    only("line", line.isPresent(), NGINX, APACHE, PATTERN);
    only("fields", !fields.isEmpty(), JSON);
    only("unit", unit.isPresent(), CADDY, JSON, PATTERN);
    return switch (name) {
      case NGINX -> NginxFormat.of(line.orElse(NginxFormat.LINE));
      case APACHE -> ApacheFormat.of(line.orElse(ApacheFormat.LINE));
      case HAPROXY -> new HaproxyFormat(zone);
      case CADDY ->
          new JsonFormat(
              JsonFormat.CADDY,
              Unit.UTC_STAMP,
              unit.map(Unit::named).orElse(Unit.SECONDS),
              unit.isEmpty() ? MICRO : resolution());
      case JSON -> new JsonFormat(fieldNames(), Unit.STAMP, unitOf(), resolution());
      case PATTERN -> pattern();
      default -> throw new IllegalArgumentException("is unknown; formats are " + NAMES);
    };
  }

  private void only(String key, boolean given, String... formats) {
    if (given && !List.of(formats).contains(name)) {
      throw new IllegalArgumentException(
          "takes no '%s'; it is a key of %s".formatted(key, String.join(", ", formats)));
    }
  }

  private LineFormat pattern() {
    PatternFormat format =
        PatternFormat.of(
            line.orElseThrow(
                () -> new IllegalArgumentException("needs 'line': the regular expression")),
            unitOf(),
            resolution());
    needed(format.fields().keySet().stream().toList(), "the groups of its 'line'");
    return format;
  }

  private Map<Field, String> fieldNames() {
    Map<Field, String> names = new LinkedHashMap<>();
    fields.forEach(
        (field, name) ->
            names.put(
                Field.named(field)
                    .orElseThrow(
                        () ->
                            new IllegalArgumentException(
                                "has a field '%s', but fields are %s"
                                    .formatted(field, String.join(", ", Field.names())))),
                name));
    needed(List.copyOf(names.keySet()), "its 'fields'");
    return names;
  }

  private static void needed(List<Field> fields, String where) {
    if (!fields.contains(Field.DURATION)) {
      throw new IllegalArgumentException(
          "has no duration: name the field with the time that a request took in " + where);
    }
    if (!fields.contains(Field.START) && !fields.contains(Field.END)) {
      throw new IllegalArgumentException(
          "has neither start nor end: name the field with the time of a request in " + where);
    }
    if (!fields.contains(Field.STATUS)) {
      throw new IllegalArgumentException("has no status: name it in " + where);
    }
  }

  private Unit unitOf() {
    return Unit.named(
        unit.orElseThrow(
            () ->
                new IllegalArgumentException(
                    "needs 'unit', that of durations: " + String.join(", ", UNITS))));
  }

  private long resolution() {
    return unit.filter(named -> named.equals("us") || named.equals("ns")).isPresent()
        ? MICRO
        : MILLI;
  }

  /** Returns what to add to the server's configuration, to log to a file; empty if unknown. */
  public static Optional<String> advice(String name, String file) {
    return switch (name) {
      case NGINX ->
          Optional.of(
              "log_format slicewise '%s';%naccess_log %s slicewise;"
                  .formatted(NginxFormat.LINE, file));
      case APACHE ->
          Optional.of(
              "LogFormat \"%s\" slicewise%nCustomLog %s slicewise"
                  .formatted(ApacheFormat.LINE.replace("\"", "\\\""), file));
      case HAPROXY -> Optional.of("option httplog");
      case CADDY -> Optional.of("log {%n  output file %s%n  format json%n}".formatted(file));
      default -> Optional.empty();
    };
  }

  /** Returns why lines are not understood, where a reason is known, as a clause. */
  public Optional<String> why(String unread) {
    if (COMBINED.matcher(unread).matches()) {
      return Optional.of(
          "it is of the format 'combined', which has no duration; add to the server: "
              + advice(name, "FILE").orElse("the time that a request took").replace("\n", " "));
    }
    return Optional.empty();
  }

  /** Returns the format in a word or two. */
  @Override
  public String toString() {
    return fields.isEmpty()
        ? name + line.map(text -> " '" + text + "'").orElse("")
        : name
            + fields.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .sorted()
                .collect(Collectors.joining(", ", " (", ")"));
  }

  /** Lines that a regular expression matches, with fields in named groups. */
  private record PatternFormat(Pattern pattern, Map<Field, Unit> fields, long resolutionMicros)
      implements LineFormat {
    /** A pattern may take long on a line that is not of its format; no request's line is longer. */
    private static final int LONGEST = 8192;

    /**
     * @param text whose named groups are fields
     * @throws IllegalArgumentException if a needed one is missing
     */
    static PatternFormat of(String text, Unit unit, long resolution) {
      Pattern pattern = Pattern.compile(text);
      Map<Field, Unit> fields = new LinkedHashMap<>();
      for (Field field : Field.NAMED) {
        if (text.contains("(?<" + EnumName.of(field) + ">")) {
          fields.put(
              field,
              switch (field) {
                case START, END -> Unit.STAMP;
                case DURATION, UPSTREAM -> unit;
                default -> Unit.MICROS;
              });
        }
      }
      return new PatternFormat(pattern, fields, resolution);
    }

    @Override
    public Optional<Request> read(String line) {
      if (line.length() > LONGEST) {
        return Optional.empty();
      }
      Matcher found = pattern.matcher(line);
      if (!found.find()) {
        return Optional.empty();
      }
      Draft draft = new Draft();
      for (Map.Entry<Field, Unit> field : fields.entrySet()) {
        String name = EnumName.of(field.getKey());
        int from = found.start(name);
        if (from >= 0
            && !draft.take(field.getKey(), field.getValue(), line, from, found.end(name))) {
          return Optional.empty();
        }
      }
      return draft.request();
    }
  }

  /** The format of a log's lines. Nothing in a line is trusted; safe for use by several threads. */
  public interface LineFormat {
    /** Returns the request of a line; empty if the line is not of this format or is damaged. */
    Optional<Request> read(String line);

    /** The smallest difference between two durations, in microseconds. */
    long resolutionMicros();
  }
}
