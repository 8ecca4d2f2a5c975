package io.slicewise.load.access;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which requests count, and under which label. A path is compared without its query; {@code *}
 * stands for any text, {@code 5xx} for a class of statuses.
 *
 * @param only by the name of a field, the patterns of which one must match
 * @param except the same of what is left out
 * @param largest answers of more bytes are left out as downloads
 * @param labels patterns of paths by label; the first that matches counts
 */
public record Selection(
    Map<String, List<String>> only,
    Map<String, List<String>> except,
    long largest,
    Map<String, String> labels) {
  /** The fields by which requests are chosen. */
  public static final List<String> FIELDS = List.of("host", "path", "method", "status");

  /** What is left out by default: connections that stay open, which last as long as their page. */
  public static final Map<String, List<String>> LASTING = lasting();

  private static Map<String, List<String>> lasting() {
    Map<String, List<String>> lasting = new LinkedHashMap<>();
    lasting.put(
        "path",
        List.of(
            "*/ws",
            "*/ws/*",
            "*websocket*",
            "*/socket.io/*",
            "*/sockjs/*",
            "*/signalr/*",
            "*/poll",
            "*/poll/*",
            "*longpoll*",
            "*/sse",
            "*/cable"));
    lasting.put("status", List.of("101"));
    return Collections.unmodifiableMap(lasting);
  }

  /** The size from which an answer is a download by default. */
  public static final long DOWNLOAD = 1_000_000;

  public Selection {
    only = Map.copyOf(only);
    except = Map.copyOf(except);
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
  }

  /** A selection that is ready for use. */
  final class Filter {
    private final Map<String, Pattern> wanted = patterns(only);
    private final Map<String, Pattern> unwanted = patterns(except);
    private final List<Pattern> paths = labels.values().stream().map(Selection::glob).toList();

    boolean counts(Request request) {
      return request.bytes() <= largest
          && wanted.entrySet().stream().allMatch(one -> matches(one, request))
          && unwanted.entrySet().stream().noneMatch(one -> matches(one, request));
    }

    /** Returns the number of the request's label; that of the last for all others. */
    int label(Request request) {
      String path = path(request);
      for (int i = 0; i < paths.size(); i++) {
        if (paths.get(i).matcher(path).matches()) {
          return i;
        }
      }
      return paths.size();
    }

    private boolean matches(Map.Entry<String, Pattern> one, Request request) {
      String text =
          switch (one.getKey()) {
            case "host" -> request.host();
            case "method" -> request.method();
            case "status" -> Integer.toString(request.status());
            default -> path(request);
          };
      return one.getValue().matcher(text).matches();
    }

    private static Map<String, Pattern> patterns(Map<String, List<String>> globs) {
      return globs.entrySet().stream()
          .filter(one -> !one.getValue().isEmpty())
          .collect(
              Collectors.toMap(
                  Map.Entry::getKey,
                  one ->
                      Pattern.compile(
                          one.getValue().stream()
                              .map(
                                  text ->
                                      one.getKey().equals("status")
                                          ? text.replace("x", "[0-9]")
                                          : quoted(text))
                              .collect(Collectors.joining("|")))));
    }
  }

  private static String path(Request request) {
    int query = request.path().indexOf('?');
    return query < 0 ? request.path() : request.path().substring(0, query);
  }

  private static Pattern glob(String text) {
    return Pattern.compile(quoted(text));
  }

  private static String quoted(String glob) {
    StringBuilder pattern = new StringBuilder();
    String[] parts = glob.split("\\*", -1);
    for (int i = 0; i < parts.length; i++) {
      pattern.append(i > 0 ? ".*" : "").append(Pattern.quote(parts[i]));
    }
    return pattern.toString();
  }
}
