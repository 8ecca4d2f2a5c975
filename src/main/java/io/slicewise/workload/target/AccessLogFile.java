package io.slicewise.workload.target;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Response;

/**
 * An access log in nginx's words: {@code $msec $request_time $upstream_response_time $status
 * $request_method $host $body_bytes_sent "$request_uri"}. Each line is appended when its request
 * ends, and the file may be renamed at any time.
 */
record AccessLogFile(Path file) implements RequestLog {
  /** The sizes of paths that are logged in full. */
  private static final int LONGEST = 2_000;

  @Override
  public void log(Request request, Response response) {
    long nanos = System.nanoTime() - request.getHeadersNanoTime();
    String line =
        String.format(
            Locale.ROOT,
            "%.3f %.3f - %d %s %s %d \"%s\"%n",
            System.currentTimeMillis() / 1e3,
            nanos / (double) TimeUnit.SECONDS.toNanos(1),
            response.getStatus(),
            request.getMethod(),
            Request.getServerName(request),
            Response.getContentBytesWritten(response),
            quoted(request.getHttpURI().getPathQuery()));
    append(line);
  }

  private static String quoted(String path) {
    StringBuilder text = new StringBuilder();
    path.chars()
        .limit(LONGEST)
        .forEach(
            letter ->
                text.append(
                    letter < ' ' || letter > '~' || letter == '"' || letter == '\\'
                        ? String.format(Locale.ROOT, "\\x%02X", letter)
                        : Character.toString(letter)));
    return text.toString();
  }

  private synchronized void append(String line) {
    try {
      Files.writeString(
          file,
          line,
          StandardCharsets.US_ASCII,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException fault) {
      throw new UncheckedIOException("the access log cannot be written", fault);
    }
  }
}
