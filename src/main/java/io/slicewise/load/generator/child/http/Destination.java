package io.slicewise.load.generator.child.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.util.Optional;
import org.apache.http.HttpHost;
import org.apache.http.client.utils.URIUtils;

/**
 * Where a request goes.
 *
 * @param uri the whole
 * @param target path and query as HttpClient sends them
 * @param hostHeader the server's name in the request
 * @param host name and port of the server
 * @param pool connections are shared by requests with the same server as written
 */
record Destination(URI uri, String target, String hostHeader, HttpHost host, String pool) {
  private static final int HTTP_PORT = 80;

  /** Returns the destination of a URL; empty if only HttpClient knows what to do with it. */
  static Optional<Destination> of(URL url) {
    try {
      URI uri = url.toURI();
      boolean isPlain =
          url.getProtocol().equals("http")
              && uri.getHost() != null
              && uri.getHost().equals(url.getHost())
              && uri.getHost().indexOf(':') < 0
              && uri.getUserInfo() == null
              && uri.getPort() != 0;
      if (!isPlain) {
        return Optional.empty();
      }
      String target =
          URIUtils.rewriteURI(uri, null, URIUtils.DROP_FRAGMENT_AND_NORMALIZE).toASCIIString();
      int port = uri.getPort() < 0 ? HTTP_PORT : uri.getPort();
      return Optional.of(
          new Destination(
              uri,
              target.isEmpty() ? "/" : target,
              new HttpHost(uri.getHost(), uri.getPort(), "http").toHostString(),
              new HttpHost(uri.getHost(), port, "http"),
              url.getAuthority()));
    } catch (URISyntaxException | IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }
}
