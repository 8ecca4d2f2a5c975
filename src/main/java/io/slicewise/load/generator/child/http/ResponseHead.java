package io.slicewise.load.generator.child.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.http.Header;
import org.apache.http.HeaderElement;
import org.apache.http.HttpException;
import org.apache.http.HttpResponse;
import org.apache.http.HttpStatus;
import org.apache.http.entity.ContentLengthStrategy;
import org.apache.http.impl.DefaultConnectionReuseStrategy;
import org.apache.http.impl.client.DefaultConnectionKeepAliveStrategy;
import org.apache.http.impl.entity.LaxContentLengthStrategy;
import org.apache.http.message.BasicHttpRequest;
import org.apache.http.message.BufferedHeader;
import org.apache.http.protocol.HttpCoreContext;

/**
 * What a sample and its user need of the head of an answer.
 *
 * @param text status line and headers, one per line
 * @param lines number of headers
 * @param contentType null if missing
 * @param location where a redirect leads; null if missing
 * @param cookies that the server sets
 */
record ResponseHead(
    Status status,
    String text,
    int lines,
    String contentType,
    String location,
    List<String> cookies,
    Framing framing) {
  static final long NO_BODY = -3;
  private static final Set<String> CODINGS = Set.of("gzip", "x-gzip", "deflate", "br");

  /** Headers of a compressed answer, which HttpClient moves to the end. */
  private static final List<String> MOVED =
      List.of("content-length", "content-encoding", "content-md5");

  /** The status line: its number, as text too, and its message. */
  record Status(int code, String codeText, String message) {}

  /**
   * How the answer ends.
   *
   * @param body its length, or one of the constants of {@link ContentLengthStrategy}, or {@link
   *     #NO_BODY}
   * @param codings with which the body is compressed, in the order in which they were applied
   * @param isKept whether the connection is used again
   * @param keptMillis for how long; at most 0 if the server does not say
   */
  record Framing(long body, List<String> codings, boolean isKept, long keptMillis) {}

  /**
   * Reads a head.
   *
   * @param closes whether the request asked for the end of the connection
   */
  static ResponseHead of(HttpResponse response, boolean isHead, boolean closes)
      throws HttpException {
    HttpCoreContext context = HttpCoreContext.create();
    context.setAttribute(
        HttpCoreContext.HTTP_REQUEST, new BasicHttpRequest(isHead ? "HEAD" : "GET", "/"));
    boolean isKept =
        !closes && DefaultConnectionReuseStrategy.INSTANCE.keepAlive(response, context);
    long keptMillis =
        DefaultConnectionKeepAliveStrategy.INSTANCE.getKeepAliveDuration(response, context);
    int code = response.getStatusLine().getStatusCode();
    long body =
        isHead || !mayHaveBody(code)
            ? NO_BODY
            : LaxContentLengthStrategy.INSTANCE.determineLength(response);
    List<String> codings = body == NO_BODY || body == 0 ? List.of() : codings(response);
    if (!codings.isEmpty()) {
      moveToEnd(response);
    }
    List<String> cookies = new ArrayList<>();
    for (Header cookie : response.getHeaders("set-cookie")) {
      cookies.add(cookie.getValue());
    }
    return new ResponseHead(
        new Status(code, Integer.toString(code), response.getStatusLine().getReasonPhrase()),
        text(response),
        response.getAllHeaders().length,
        value(response.getLastHeader("Content-Type")),
        value(response.getLastHeader("location")),
        List.copyOf(cookies),
        new Framing(body, codings, isKept, keptMillis));
  }

  private static boolean mayHaveBody(int code) {
    return code >= HttpStatus.SC_OK
        && code != HttpStatus.SC_NO_CONTENT
        && code != HttpStatus.SC_NOT_MODIFIED
        && code != HttpStatus.SC_RESET_CONTENT;
  }

  private static List<String> codings(HttpResponse response) {
    Header header = response.getFirstHeader("Content-Encoding");
    List<String> codings = new ArrayList<>();
    if (header != null) {
      for (HeaderElement element : header.getElements()) {
        String coding = element.getName().toLowerCase(Locale.ROOT);
        if (CODINGS.contains(coding)) {
          codings.add(coding);
        }
      }
    }
    return List.copyOf(codings);
  }

  private static void moveToEnd(HttpResponse response) {
    List<Header[]> moved = new ArrayList<>();
    for (String name : MOVED) {
      moved.add(response.getHeaders(name));
      response.removeHeaders(name);
    }
    moved.forEach(
        headers -> {
          if (headers.length > 0) {
            response.addHeader(headers[0]);
          }
        });
  }

  private static String value(Header header) {
    return header == null ? null : header.getValue();
  }

  private static String text(HttpResponse response) {
    StringBuilder text = new StringBuilder(300).append(response.getStatusLine()).append('\n');
    for (Header header : response.getAllHeaders()) {
      if (header instanceof BufferedHeader buffered) {
        text.append(buffered.getBuffer().buffer(), 0, buffered.getBuffer().length());
      } else {
        text.append(header.getName()).append(": ").append(header.getValue());
      }
      text.append('\n');
    }
    return text.toString();
  }

  /** Returns the bytes of status line and headers as JMeter counts them: all lines end with two. */
  int bytes() {
    return text.length() + lines + 3;
  }
}
