package io.slicewise.load.generator.child.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.http.ConnectionClosedException;
import org.apache.http.HttpException;
import org.apache.http.HttpHost;
import org.apache.http.HttpResponse;
import org.apache.http.NoHttpResponseException;
import org.apache.http.ProtocolException;
import org.apache.http.client.ClientProtocolException;
import org.apache.http.client.utils.URIUtils;
import org.apache.http.entity.ContentLengthStrategy;
import org.apache.http.impl.client.HttpClientBuilder;
import org.apache.http.impl.conn.DefaultHttpResponseParser;
import org.apache.http.impl.io.ChunkedInputStream;
import org.apache.http.impl.io.ContentLengthInputStream;
import org.apache.http.impl.io.EmptyInputStream;
import org.apache.http.impl.io.IdentityInputStream;
import org.apache.http.util.VersionInfo;
import org.apache.jmeter.protocol.http.control.CookieManager;
import org.apache.jmeter.protocol.http.sampler.HTTPHC4Impl;
import org.apache.jmeter.protocol.http.sampler.HTTPSampleResult;
import org.apache.jmeter.threads.JMeterContextService;
import org.apache.jmeter.util.JMeterUtils;

/**
 * Sends the requests of one user and one element of the plan: plain HTTP over a socket, anything
 * else with JMeter's own client, which it extends. The steps and their order are JMeter's, since
 * they decide what a sample's times include.
 */
final class PlainClient extends HTTPHC4Impl {
  private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH", "DELETE");
  private static final Set<String> WITHOUT_BODY = Set.of("GET", "HEAD", "OPTIONS");
  private static final Pattern PORT_AT_END = Pattern.compile(":(\\d+)$");
  private static final int DIRECT_BYTES = 1 << 20;
  private static final int FIRST_FINAL = 200;
  private static final int FIRST_VALID = 100;
  private static final String USER_AGENT =
      JMeterUtils.getPropDefault("httpclient4.default_user_agent_disabled", false)
          ? null
          : VersionInfo.getUserAgent(
              "Apache-HttpClient", "org.apache.http.client", HttpClientBuilder.class);
  private static final boolean STORES_ALL =
      JMeterUtils.getPropDefault("httpsampler.max_bytes_to_store_per_request", 0) <= 0;

  private final PlainSampler sampler;
  private final Links links = Links.ofThisThread();
  private final RequestText request = new RequestText();
  private volatile Link current;
  private URL lastUrl;
  private Optional<Destination> lastDestination = Optional.empty();
  private byte[] lastHeadBytes = {};
  private ResponseHead lastHead;
  private boolean lastIsHead;
  private boolean lastCloses;

  PlainClient(PlainSampler sampler) {
    super(sampler);
    this.sampler = sampler;
  }

  /** Whether the run's properties allow it: some are known to HttpClient alone. */
  static Optional<String> forbidden() {
    if (PROXY_DEFINED) {
      return Optional.of("a proxy for all requests");
    }
    if (CPS_HTTP > 0) {
      return Optional.of("the property httpclient.socket.http.cps");
    }
    if (localAddress != null) {
      return Optional.of("the property httpclient.localaddress");
    }
    if (ADD_CONTENT_TYPE_TO_POST_IF_MISSING) {
      return Optional.of("the property http.post_add_content_type_if_missing");
    }
    for (Map.Entry<String, String> usual :
        Map.of(
                "httpclient4.retrycount", "0",
                "httpclient4.idletimeout", "0",
                "jmeter.httpsampler", "HttpClient4")
            .entrySet()) {
      if (!JMeterUtils.getPropDefault(usual.getKey(), usual.getValue()).equals(usual.getValue())) {
        return Optional.of("the property " + usual.getKey());
      }
    }
    return Optional.empty();
  }

  @Override
  protected HTTPSampleResult sample(URL url, String method, boolean isRedirect, int depth) {
    RequestSettings settings = sampler.settings();
    if (settings.unsupported().isPresent()
        || (!WITH_BODY.contains(method) && !WITHOUT_BODY.contains(method))) {
      return super.sample(url, method, isRedirect, depth);
    }
    Optional<Destination> destination = destination(url);
    return destination.isPresent()
        ? sample(destination.get(), settings, url, method, isRedirect, depth)
        : super.sample(url, method, isRedirect, depth);
  }

  @SuppressWarnings("ReferenceEquality") // the settings return the same object again
  private Optional<Destination> destination(URL url) {
    if (url != lastUrl) {
      lastDestination = Destination.of(url);
      lastUrl = url;
    }
    return lastDestination;
  }

  private HTTPSampleResult sample(
      Destination to,
      RequestSettings settings,
      URL url,
      String method,
      boolean isRedirect,
      int depth) {
    HTTPSampleResult result = createSampleResult(url, method);
    links.begin();
    try {
      beginRequest(settings, url);
      addCookies(settings.cookies(), url, result);
    } catch (RuntimeException fault) {
      result.sampleStart();
      result.sampleEnd();
      return errorResult(fault, result);
    }
    result.sampleStart();
    boolean isBuilt = false;
    try {
      Parameters.Body body = null;
      if (WITH_BODY.contains(method)
          || (method.equals("GET") && !isRedirect && settings.parameters().areText())) {
        body = settings.parameters().body();
        result.setQueryString(body.text());
      }
      endRequest(to, method, body);
      isBuilt = true;
      ResponseHead head = exchange(to, settings, method, result);
      describe(head, method, to, result);
      saveCookies(head, url, settings.cookies());
      return resultProcessing(isRedirect, depth, result);
    } catch (IOException fault) {
      endIfRunning(result);
      result.setRequestHeaders(isBuilt ? request.visible() : "");
      return errorResult(fault, result);
    } catch (RuntimeException fault) {
      endIfRunning(result);
      return errorResult(fault, result);
    } finally {
      current = null;
    }
  }

  private static void endIfRunning(HTTPSampleResult result) {
    if (result.getEndTime() == 0) {
      result.sampleEnd();
    }
  }

  private void beginRequest(RequestSettings settings, URL url) {
    request.begin();
    request.set("Connection", settings.keepsAlive() ? "keep-alive" : "close");
    for (RequestSettings.HeaderLine header : settings.headers()) {
      String name = header.name();
      if (name.equalsIgnoreCase("Host")) {
        request.add("Host", virtualHost(header.value().get(), url));
      } else if (!name.equalsIgnoreCase("Content-Length")) {
        request.add(name, header.value().get());
      }
    }
  }

  /** Returns a host as JMeter writes it: with the port of the URL, unless that is the usual one. */
  private static String virtualHost(String text, URL url) {
    String[] parts = text.split(":", -1);
    int port = url.getPort();
    if (parts.length > 1 && parts[parts.length - 1].matches("\\d+")) {
      port = Integer.parseInt(parts[parts.length - 1]);
    }
    String name = PORT_AT_END.matcher(text).replaceFirst("");
    return port == -1 || port == url.getDefaultPort() ? name : name + ":" + port;
  }

  private void addCookies(CookieManager manager, URL url, HTTPSampleResult result) {
    String cookies = manager == null ? null : manager.getCookieHeaderForURL(url);
    if (cookies != null) {
      request.set("Cookie", cookies);
    }
    result.setCookies(cookies != null && !cookies.isEmpty() ? cookies : request.cookies());
  }

  private void endRequest(Destination to, String method, Parameters.Body body) {
    if (body != null) {
      request.add("Content-Length", Integer.toString(body.bytes().length));
      if (!request.has("Content-Type")) {
        request.add("Content-Type", body.type());
      }
    }
    if (!request.has("Host")) {
      request.add("Host", to.hostHeader());
    }
    if (USER_AGENT != null && !request.has("User-Agent")) {
      request.add("User-Agent", USER_AGENT);
    }
    request.end(method + " " + to.target() + " HTTP/1.1", body);
  }

  /** Sends the request and receives the whole answer. */
  private ResponseHead exchange(
      Destination to, RequestSettings settings, String method, HTTPSampleResult result)
      throws IOException {
    int connectMillis = settings.connectTimeout();
    int waitMillis = settings.responseTimeout();
    Link link = links.open(to.pool());
    boolean isNew = link == null;
    if (isNew) {
      link = new Link();
    }
    current = link;
    ResponseHead head;
    try {
      if (isNew) {
        connect(link, to, connectMillis, result);
      }
      link.limitWaits(waitMillis);
      link.send(request.bytes());
      head = receiveHead(link, method.equals("HEAD"));
    } catch (NoHttpResponseException silent) {
      throw abandoned(to, link, noAnswer(to, silent));
    } catch (HttpException malformed) {
      throw abandoned(to, link, new ClientProtocolException(malformed));
    } catch (IOException broken) {
      throw abandoned(to, link, broken);
    }
    result.setRequestHeaders(request.visible());
    if (head.contentType() != null) {
      result.setContentType(head.contentType());
      result.setEncodingAndType(head.contentType());
    }
    receiveBody(to, link, head.framing(), settings, result);
    result.sampleEnd();
    current = null;
    result.setBodySize(link.received()); // without the head's bytes once they are known
    return head;
  }

  private static void connect(Link link, Destination to, int millis, HTTPSampleResult result)
      throws IOException {
    try {
      link.connect(to.host(), millis);
    } finally {
      result.connectEnd();
    }
  }

  private IOException abandoned(Destination to, Link link, IOException fault) {
    link.abort();
    links.drop(to.pool(), link);
    return fault;
  }

  private static IOException noAnswer(Destination to, NoHttpResponseException silent) {
    IOException named =
        new NoHttpResponseException(to.host().toHostString() + " failed to respond");
    named.setStackTrace(silent.getStackTrace());
    return named;
  }

  /** Receives a head; most are byte by byte like the one before. */
  private ResponseHead receiveHead(Link link, boolean isHead) throws IOException, HttpException {
    boolean closes = request.says("Connection", "close");
    link.awaitBytes();
    if (lastHead != null
        && lastIsHead == isHead
        && lastCloses == closes
        && link.startsWith(lastHeadBytes)) {
      link.skip(lastHeadBytes.length);
      return lastHead;
    }
    byte[] bytes = link.upToEmptyLine();
    int before = link.length();
    HttpResponse response = parse(link);
    lastHead = null;
    boolean isWhole = bytes.length > 0 && before - link.length() == bytes.length;
    while (response.getStatusLine().getStatusCode() < FIRST_FINAL) {
      if (response.getStatusLine().getStatusCode() < FIRST_VALID) {
        throw new ProtocolException("Invalid response: " + response.getStatusLine());
      }
      isWhole = false;
      response = parse(link);
    }
    ResponseHead head = ResponseHead.of(response, isHead, closes);
    if (isWhole) {
      lastHead = head;
      lastHeadBytes = bytes;
      lastIsHead = isHead;
      lastCloses = closes;
    }
    return head;
  }

  private static HttpResponse parse(Link link) throws IOException, HttpException {
    return new DefaultHttpResponseParser(link).parse();
  }

  private void receiveBody(
      Destination to,
      Link link,
      ResponseHead.Framing framing,
      RequestSettings settings,
      HTTPSampleResult result)
      throws IOException {
    boolean isWhole = false;
    Decoded decoded = null;
    try {
      if (framing.body() > 0
          && framing.body() <= DIRECT_BYTES
          && framing.codings().isEmpty()
          && settings.storesText()
          && STORES_ALL) {
        result.setResponseData(bytes(link, (int) framing.body(), result));
      } else if (framing.body() != ResponseHead.NO_BODY && framing.codings().isEmpty()) {
        InputStream body = body(link, framing.body());
        result.setResponseData(readResponse(result, body, Math.max(-1, framing.body())));
      } else if (framing.body() != ResponseHead.NO_BODY) {
        decoded = new Decoded(body(link, framing.body()), framing.codings());
        result.setResponseData(readResponse(result, decoded, -1L));
      }
      isWhole = true;
    } finally {
      // What cannot be unpacked was received all the same.
      isWhole |= decoded != null && decoded.isReceived();
      if (isWhole && framing.isKept() && link.isOpen()) {
        links.keep(to.pool(), link, framing.keptMillis());
      } else {
        links.drop(to.pool(), link);
      }
    }
  }

  private static byte[] bytes(Link link, int length, HTTPSampleResult result) throws IOException {
    byte[] body = new byte[length];
    for (int count = 0; count < length; ) {
      int more = link.read(body, count, length - count);
      if (more < 0) {
        throw new ConnectionClosedException(
            "Premature end of Content-Length delimited message body (expected: %,d; received: %,d)",
            (long) length, (long) count);
      }
      if (count == 0) {
        result.latencyEnd();
      }
      count += more;
    }
    return body;
  }

  private static InputStream body(Link link, long length) {
    if (length == ContentLengthStrategy.CHUNKED) {
      return new ChunkedInputStream(link);
    }
    if (length == ContentLengthStrategy.IDENTITY) {
      return new IdentityInputStream(link);
    }
    return length == 0 ? EmptyInputStream.INSTANCE : new ContentLengthInputStream(link, length);
  }

  private void describe(ResponseHead head, String method, Destination to, HTTPSampleResult result) {
    result.setResponseCode(head.status().codeText());
    result.setResponseMessage(head.status().message());
    result.setSuccessful(isSuccessCode(head.status().code()));
    result.setResponseHeaders(head.text());
    if (result.isRedirect()) {
      if (head.location() == null) {
        throw new IllegalArgumentException(
            "Missing location header in redirect for %s %s HTTP/1.1"
                .formatted(method, to.uri().toASCIIString()));
      }
      result.setRedirectLocation(head.location());
    }
    result.setHeadersSize(head.bytes());
    result.setBodySize(result.getBodySizeAsLong() - head.bytes());
    result.setSentBytes(request.bytes().length);
  }

  private static void saveCookies(ResponseHead head, URL url, CookieManager manager) {
    if (manager != null) {
      head.cookies().forEach(cookie -> manager.addCookieFromHeader(cookie, url));
    }
  }

  @Override
  protected void notifyFirstSampleAfterLoopRestart() {
    super.notifyFirstSampleAfterLoopRestart();
    boolean returns = JMeterContextService.getContext().getVariables().isSameUserOnNextIteration();
    links.newVisitor(!returns && RESET_STATE_ON_THREAD_GROUP_ITERATION);
  }

  @Override
  protected void threadFinished() {
    super.threadFinished();
    links.close();
  }

  @Override
  public boolean interrupt() {
    Link waiting = current;
    if (waiting == null) {
      return super.interrupt();
    }
    current = null;
    waiting.abort();
    return true;
  }

  /**
   * Where a request goes.
   *
   * @param uri the whole
   * @param target path and query as HttpClient sends them
   * @param hostHeader the server's name in the request
   * @param host name and port of the server
   * @param pool connections are shared by requests with the same server as written
   */
  private record Destination(
      URI uri, String target, String hostHeader, HttpHost host, String pool) {
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

  /**
   * The connections of one user: at most one to each server, since a user waits for each answer.
   * They are used again and given up under the same rules as HttpClient's.
   */
  private static final class Links {
    private static final long CHECKED_AFTER_MILLIS =
        JMeterUtils.getPropDefault("httpclient4.validate_after_inactivity", 4_900);
    private static final long LIFE_MILLIS =
        JMeterUtils.getPropDefault("httpclient4.time_to_live", 60_000);
    private static final ThreadLocal<Links> OF_THREAD = ThreadLocal.withInitial(Links::new);

    private final Map<String, Kept> kept = new HashMap<>();
    private boolean isNewVisitor;

    /** A connection with the times that decide how long it is used. */
    private static final class Kept {
      private final Link link;
      private final long lastMillis;
      private long usedMillis;
      private long untilMillis;

      Kept(Link link, long nowMillis) {
        this.link = link;
        lastMillis = LIFE_MILLIS > 0 ? nowMillis + LIFE_MILLIS : Long.MAX_VALUE;
      }
    }

    private Links() {}

    static Links ofThisThread() {
      return OF_THREAD.get();
    }

    /** Says whether the next request is a new visitor's, who has no connections yet. */
    void newVisitor(boolean isNew) {
      isNewVisitor = isNew;
    }

    /** Forgets the last visitor's connections if the next request is a new one's. */
    void begin() {
      if (isNewVisitor) {
        close();
        isNewVisitor = false;
      }
    }

    /** Returns the open connection to a server; null if there is none that can be used. */
    Link open(String server) {
      Kept found = kept.get(server);
      if (found == null) {
        return null;
      }
      long now = System.currentTimeMillis();
      boolean usable =
          found.link.isOpen()
              && now < found.untilMillis
              && !(CHECKED_AFTER_MILLIS > 0
                  && found.usedMillis + CHECKED_AFTER_MILLIS <= now
                  && found.link.isStale());
      if (!usable) {
        drop(server, found.link);
        return null;
      }
      return found.link;
    }

    /**
     * Keeps a connection for the next request.
     *
     * @param millis how long the server keeps it; at most 0 if it does not say
     */
    void keep(String server, Link link, long millis) {
      long now = System.currentTimeMillis();
      Kept own = kept.get(server);
      if (own == null || own.link != link) {
        own = new Kept(link, now);
        kept.put(server, own);
      }
      own.usedMillis = now;
      own.untilMillis = millis > 0 ? Math.min(now + millis, own.lastMillis) : own.lastMillis;
    }

    /** Closes a connection. */
    void drop(String server, Link link) {
      Kept own = kept.get(server);
      if (own != null && own.link == link) {
        kept.remove(server);
      }
      link.close();
    }

    void close() {
      kept.values().forEach(each -> each.link.close());
      kept.clear();
    }
  }
}
