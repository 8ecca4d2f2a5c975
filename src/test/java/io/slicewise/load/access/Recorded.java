package io.slicewise.load.access;

import io.slicewise.load.access.LineFormats.LineFormat;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** Lines that real servers wrote, and what an independent client measured of the same requests. */
final class Recorded {
  static final String NGINX =
      "$msec $request_time $upstream_response_time $status $request_method $host $body_bytes_sent"
          + " $connection_requests $remote_addr \"$http_x_forwarded_for\" \"$request_uri\""
          + " \"$http_user_agent\"";

  static final String APACHE =
      "%{begin:usec}t %{end:usec}t %D %^FB %>s %m %B %O %X %k %a \"%{X-Forwarded-For}i\" \"%U%q\""
          + " \"%{User-Agent}i\"";

  private static final Pattern NUMBER = Pattern.compile("[?&]rid=([nahc]\\d+)");

  private Recorded() {}

  /** What the client knows of a request. */
  record Truth(String kind, double sent, double done, String status) {
    /** Whether it is a request of an unhurried user to a page. */
    boolean isOrdinary() {
      return List.of("item", "page", "img", "404", "5xx", "post").contains(kind) && sent > 0;
    }
  }

  static LineFormat format(String server) {
    return switch (server) {
      case "nginx" -> NginxFormat.of(NGINX);
      case "nginx-json" ->
          new LineFormats(
                  "json",
                  Optional.empty(),
                  Map.of(
                      "end", "msec",
                      "duration", "request_time",
                      "upstream", "upstream_response_time",
                      "status", "status",
                      "method", "method",
                      "host", "host",
                      "path", "uri",
                      "bytes", "bytes"),
                  Optional.of("s"))
              .at(java.time.ZoneOffset.UTC);
      case "apache" -> ApacheFormat.of(APACHE);
      default -> LineFormats.named(server).at(java.time.ZoneOffset.UTC);
    };
  }

  static List<String> lines(String file) {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(
                    Objects.requireNonNull(
                        Recorded.class.getResourceAsStream("/load/access/" + file + ".gz"), file)),
                StandardCharsets.ISO_8859_1))) {
      return reader.lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Map<String, Truth> truth(String server) {
    Map<String, Truth> all = new LinkedHashMap<>();
    for (String line : lines(server + ".truth")) {
      String[] cells = line.split("\t", -1);
      all.put(
          cells[0],
          new Truth(
              cells[1], Double.parseDouble(cells[2]), Double.parseDouble(cells[3]), cells[4]));
    }
    return all;
  }

  /** The client's number of a request. */
  static Optional<String> number(String text) {
    Matcher found = NUMBER.matcher(text);
    return found.find() ? Optional.of(found.group(1)) : Optional.empty();
  }
}
