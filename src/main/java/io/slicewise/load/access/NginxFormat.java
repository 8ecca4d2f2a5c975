package io.slicewise.load.access;

import io.slicewise.load.access.LineFormats.LineFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The layout of a {@code log_format} of nginx, which is text with variables. */
final class NginxFormat {
  static final String LINE =
      "$msec $request_time $upstream_response_time $status $request_method $host $body_bytes_sent"
          + " \"$request_uri\"";

  private static final Pattern DIRECTIVE =
      Pattern.compile(
          "^\\s*log_format\\s+\\S+\\s+(?:escape=\\w+\\s+)?(.*?);?\\s*$", Pattern.DOTALL);
  private static final Pattern QUOTED = Pattern.compile("'((?:[^'\\\\]|\\\\.)*)'");
  private static final Pattern VARIABLE = Pattern.compile("\\$(?:\\{([a-z0-9_]+)\\}|([a-z0-9_]+))");
  private static final long MILLI = 1000;

  private static final Map<String, Field> FIELDS =
      Map.ofEntries(
          Map.entry("msec", Field.END),
          Map.entry("request_time", Field.DURATION),
          Map.entry("upstream_response_time", Field.UPSTREAM),
          Map.entry("status", Field.STATUS),
          Map.entry("request_method", Field.METHOD),
          Map.entry("host", Field.HOST),
          Map.entry("http_host", Field.HOST),
          Map.entry("server_name", Field.HOST),
          Map.entry("request_uri", Field.PATH),
          Map.entry("uri", Field.PATH),
          Map.entry("request", Field.REQUEST),
          Map.entry("body_bytes_sent", Field.BYTES),
          Map.entry("bytes_sent", Field.BYTES));

  private NginxFormat() {}

  /**
   * Returns the layout of a log_format, with or without its directive.
   *
   * @throws IllegalArgumentException if it lacks what every request needs
   */
  static LineFormat of(String logFormat) {
    String text = text(logFormat);
    Matcher variable = VARIABLE.matcher(text);
    List<Layout.Part> parts = new ArrayList<>();
    int at = 0;
    while (variable.find()) {
      String name = variable.group(1) == null ? variable.group(2) : variable.group(1);
      String before = text.substring(at, variable.start());
      if (before.isEmpty() && !parts.isEmpty()) {
        throw new IllegalArgumentException(
            "has nothing between $%s and the variable before it".formatted(name));
      }
      parts.add(
          new Layout.Part(
              before,
              FIELDS.getOrDefault(name, Field.OTHER),
              Unit.SECONDS,
              name.startsWith("upstream_")));
      at = variable.end();
    }
    for (Map.Entry<String, Field> needed :
        List.of(
            Map.entry("$request_time", Field.DURATION),
            Map.entry("$msec", Field.END),
            Map.entry("$status", Field.STATUS))) {
      if (parts.stream().noneMatch(part -> part.field() == needed.getValue())) {
        throw new IllegalArgumentException(
            "has no %s; add to nginx: log_format slicewise '%s'; and: access_log FILE slicewise;"
                .formatted(needed.getKey(), LINE));
      }
    }
    return new Layout(parts, MILLI);
  }

  private static String text(String logFormat) {
    Matcher directive = DIRECTIVE.matcher(logFormat);
    if (!directive.matches()) {
      return logFormat.strip();
    }
    StringBuilder all = new StringBuilder();
    Matcher quoted = QUOTED.matcher(directive.group(1));
    while (quoted.find()) {
      all.append(quoted.group(1).replaceAll("\\\\(.)", "$1"));
    }
    return all.toString();
  }
}
