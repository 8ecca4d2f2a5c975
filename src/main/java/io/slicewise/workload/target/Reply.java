package io.slicewise.workload.target;

import io.slicewise.base.units.SlicewiseException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** An answer to send: a page, a document, or a sentence that explains why there is none. */
record Reply(int status, String type, ByteBuffer body) {
  private static final String HTML = "text/html;charset=utf-8";

  static Reply page(int status, byte[] html) {
    return new Reply(status, HTML, ByteBuffer.wrap(html));
  }

  static Reply document(byte[] content) {
    return new Reply(200, "application/octet-stream", ByteBuffer.wrap(content));
  }

  static Reply of(int status, String sentence) {
    return page(status, ("<p>" + escaped(sentence) + "</p>\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the reply for a failure to create the answer. */
  static Reply unavailable(Throwable fault) {
    Throwable cause =
        fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
    String why = cause instanceof SlicewiseException ? cause.getMessage() : cause.toString();
    return of(503, "The page cannot be created: " + why);
  }

  /** Escapes text for a page. */
  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  void send(Response response, Callback callback) {
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    response.write(true, body, callback);
  }
}
