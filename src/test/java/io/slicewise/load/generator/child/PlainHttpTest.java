package io.slicewise.load.generator.child;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.load.generator.child.Generator.JMeterHome;
import io.slicewise.load.generator.child.http.PlainHttp;
import io.slicewise.load.generator.child.http.PlainSampler;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.jmeter.config.Arguments;
import org.apache.jmeter.config.ConfigTestElement;
import org.apache.jmeter.control.LoopController;
import org.apache.jmeter.engine.StandardJMeterEngine;
import org.apache.jmeter.engine.util.NoThreadClone;
import org.apache.jmeter.modifiers.JSR223PreProcessor;
import org.apache.jmeter.modifiers.SampleTimeout;
import org.apache.jmeter.protocol.http.control.AuthManager;
import org.apache.jmeter.protocol.http.control.CacheManager;
import org.apache.jmeter.protocol.http.control.CookieManager;
import org.apache.jmeter.protocol.http.control.Header;
import org.apache.jmeter.protocol.http.control.HeaderManager;
import org.apache.jmeter.protocol.http.sampler.HTTPSampleResult;
import org.apache.jmeter.protocol.http.sampler.HTTPSamplerBase;
import org.apache.jmeter.protocol.http.sampler.HTTPSamplerProxy;
import org.apache.jmeter.protocol.http.util.HTTPArgument;
import org.apache.jmeter.protocol.http.util.HTTPFileArg;
import org.apache.jmeter.samplers.SampleEvent;
import org.apache.jmeter.samplers.SampleListener;
import org.apache.jmeter.samplers.SampleResult;
import org.apache.jmeter.testelement.AbstractTestElement;
import org.apache.jmeter.testelement.TestElement;
import org.apache.jmeter.testelement.TestPlan;
import org.apache.jmeter.threads.ThreadGroup;
import org.apache.jorphan.collections.HashTree;
import org.apache.jorphan.collections.ListedHashTree;
import org.apache.jorphan.collections.SearchByClass;
import org.assertj.core.api.SoftAssertions;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The requests that Slicewise sends itself have the results of JMeter's own client, field by field,
 * and the same bytes on the wire: each plan runs twice in JMeter's engine, as it is and taken over.
 */
class PlainHttpTest {
  private static final int WAIT_MILLIS = 300;
  private static final int PAUSE_MILLIS = 150;

  @BeforeAll
  static void makeJMetersHome(@TempDir Path home) throws IOException {
    JMeterHome.prepare(home, new Properties());
  }

  /** A plan with one user: its requests with their children, and what is common to them. */
  private static final class Draft {
    private final List<TestElement> common = new ArrayList<>();
    private final Map<Integer, List<TestElement>> children = new TreeMap<>();
    private final List<HTTPSamplerProxy> requests = new ArrayList<>();
    private final ConfigTestElement defaults = new ConfigTestElement();
    private int loops = 3; // the first merges, the others must not differ from it
    private boolean isSameUser = true;

    Draft(int port) {
      defaults.setProperty(
          TestElement.GUI_CLASS, "org.apache.jmeter.protocol.http.config.gui.HttpDefaultsGui");
      defaults.setProperty(HTTPSamplerBase.DOMAIN, "127.0.0.1");
      defaults.setProperty(HTTPSamplerBase.PORT, Integer.toString(port));
      defaults.setProperty(HTTPSamplerBase.RESPONSE_TIMEOUT, "${__P(wait,60000)}");
      defaults.setProperty(HTTPSamplerBase.CONNECT_TIMEOUT, "60000");
      defaults.setProperty(
          new org.apache.jmeter.testelement.property.TestElementProperty(
              HTTPSamplerBase.ARGUMENTS, new Arguments()));
      common.add(defaults);
    }

    HTTPSamplerProxy request(String method, String path, TestElement... its) {
      HTTPSamplerProxy request = new HTTPSamplerProxy();
      request.setName(method + " " + path);
      request.setMethod(method);
      request.setProperty(HTTPSamplerBase.PATH, path);
      request.setUseKeepAlive(true);
      request.setFollowRedirects(true);
      requests.add(request);
      children.put(requests.size() - 1, List.of(its));
      return request;
    }

    HashTree tree(Samples samples) {
      TestPlan plan = new TestPlan("plan");
      LoopController loop = new LoopController();
      loop.setLoops(loops);
      loop.setContinueForever(false);
      ThreadGroup group = new ThreadGroup();
      group.setName("users");
      group.setNumThreads(1);
      group.setRampUp(0);
      group.setIsSameUserOnNextIteration(isSameUser);
      group.setSamplerController(loop);
      HashTree tree = new ListedHashTree();
      HashTree below = tree.add(plan);
      below.add(samples);
      for (TestElement element : common) {
        below.add((TestElement) element.clone());
      }
      HashTree users = below.add(group);
      for (int i = 0; i < requests.size(); i++) {
        HashTree its = users.add((TestElement) requests.get(i).clone());
        children.get(i).forEach(child -> its.add((TestElement) child.clone()));
      }
      return tree;
    }
  }

  /** Receives the samples. */
  private static final class Samples extends AbstractTestElement
      implements SampleListener, NoThreadClone {
    private static final long serialVersionUID = 1L;
    private final transient List<SampleResult> results =
        Collections.synchronizedList(new ArrayList<>());

    @Override
    public void sampleOccurred(SampleEvent event) {
      results.add(event.getResult());
    }

    @Override
    public void sampleStarted(SampleEvent event) {
      // Only its result counts.
    }

    @Override
    public void sampleStopped(SampleEvent event) {
      // Only its result counts.
    }
  }

  private static List<SampleResult> run(Draft draft, boolean isOwn) {
    Samples samples = new Samples();
    HashTree tree = draft.tree(samples);
    if (isOwn) {
      PlainHttp.takeOver(tree);
      SearchByClass<HTTPSamplerProxy> left = new SearchByClass<>(HTTPSamplerProxy.class);
      tree.traverse(left);
      assertThat(left.getSearchResults()).isEmpty();
    }
    StandardJMeterEngine engine = new StandardJMeterEngine();
    engine.configure(tree);
    engine.run();
    return samples.results;
  }

  /** Runs the plan both ways and compares. */
  private static List<SampleResult> compare(Draft draft) {
    List<SampleResult> theirs = run(draft, false);
    List<SampleResult> ours = run(draft, true);
    compare(theirs, ours);
    return ours;
  }

  private static void compare(List<SampleResult> theirs, List<SampleResult> ours) {
    assertThat(ours).hasSameSizeAs(theirs).isNotEmpty();
    SoftAssertions all = new SoftAssertions();
    for (int i = 0; i < theirs.size(); i++) {
      String expected = described(theirs.get(i));
      all.assertThat(described(ours.get(i))).as("sample " + i).isEqualTo(expected);
    }
    all.assertAll();
  }

  private static String described(SampleResult result) {
    StringBuilder text = new StringBuilder();
    describe(result, "", text);
    return text.toString();
  }

  /** Writes all fields but times, which differ, and the frames of a stack trace. */
  private static void describe(SampleResult result, String indent, StringBuilder text) {
    Map<String, Object> fields = new TreeMap<>();
    boolean isFault = isFault(result);
    String data = new String(result.getResponseData(), StandardCharsets.ISO_8859_1);
    fields.put("data", hasTrace(result) ? withoutCause(data.lines().findFirst().orElse("")) : data);
    fields.put("code", result.getResponseCode());
    fields.put("message", withoutCause(result.getResponseMessage()));
    fields.put("headers", result.getResponseHeaders());
    fields.put("request", result.getRequestHeaders());
    fields.put("sampler", result.getSamplerData());
    fields.put("label", result.getSampleLabel());
    fields.put("success", result.isSuccessful());
    fields.put("type", result.getDataType());
    fields.put("content", result.getContentType());
    fields.put("media", result.getMediaType());
    fields.put("encoding", result.getDataEncodingNoDefault());
    fields.put("url", result.getUrlAsString());
    fields.put("bytes", isFault ? 0 : result.getBytesAsLong());
    fields.put("headerBytes", result.getHeadersSize());
    fields.put("bodyBytes", isFault ? 0 : result.getBodySizeAsLong());
    fields.put("sent", result.getSentBytes());
    fields.put("count", result.getSampleCount());
    fields.put("errors", result.getErrorCount());
    fields.put("idle", result.getIdleTime());
    fields.put("thread", result.getThreadName());
    fields.put("users", result.getAllThreads() + " " + result.getGroupThreads());
    fields.put("stop", result.isStopTest() + " " + result.isStopThread());
    boolean isOrdered =
        0 <= result.getConnectTime()
            && (result.getLatency() == 0 || result.getConnectTime() <= result.getLatency())
            && result.getLatency() <= result.getTime();
    fields.put("times in order", isOrdered);
    if (result instanceof HTTPSampleResult http) {
      fields.put("method", http.getHTTPMethod());
      fields.put("cookies", http.getCookies());
      fields.put("query", http.getQueryString());
      fields.put("location", String.valueOf(http.getRedirectLocation()));
      fields.put("redirect", http.isRedirect());
    }
    fields.forEach((name, value) -> text.append(indent + name + " = " + value + "\n"));
    for (SampleResult part : result.getSubResults()) {
      text.append(indent).append("part:\n");
      describe(part, indent + "  ", text);
    }
  }

  /** Java gives the cause with the first failed look-up of a name, and not with the second. */
  private static String withoutCause(String message) {
    return message.replace(": Name or service not known", "");
  }

  /** Whether the result has a stack trace instead of an answer. */
  private static boolean hasTrace(SampleResult result) {
    return result.getResponseCode().startsWith("Non HTTP");
  }

  /** Whether the length of a stack trace is in a result's bytes. */
  private static boolean isFault(SampleResult result) {
    return hasTrace(result) || Stream.of(result.getSubResults()).anyMatch(PlainHttpTest::isFault);
  }

  private static HTTPArgument argument(String name, String value, boolean encode) {
    HTTPArgument argument = new HTTPArgument();
    argument.setName(name);
    argument.setValue(value);
    argument.setMetaData("=");
    argument.setAlwaysEncoded(encode);
    return argument;
  }

  private static HTTPSamplerProxy with(HTTPSamplerProxy request, HTTPArgument... arguments) {
    Arguments all = new Arguments();
    for (HTTPArgument argument : arguments) {
      all.addArgument(argument);
    }
    request.setArguments(all);
    return request;
  }

  private static HeaderManager headers(String... namesAndValues) {
    HeaderManager manager = new HeaderManager();
    manager.setProperty(TestElement.GUI_CLASS, "org.apache.jmeter.protocol.http.gui.HeaderPanel");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      manager.add(new Header(namesAndValues[i], namesAndValues[i + 1]));
    }
    return manager;
  }

  private static CookieManager cookies() {
    CookieManager manager = new CookieManager();
    manager.setProperty(TestElement.GUI_CLASS, "org.apache.jmeter.protocol.http.gui.CookiePanel");
    return manager;
  }

  /** A real server. */
  private static final class Web implements AutoCloseable {
    private final Server server = new Server();
    private final ServerConnector connector;
    private final AtomicInteger connections = new AtomicInteger();

    Web() throws Exception {
      HttpConfiguration settings = new HttpConfiguration();
      settings.setSendDateHeader(false);
      connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(settings));
      connector.setHost("127.0.0.1");
      connector.addEventListener(
          new org.eclipse.jetty.io.Connection.Listener() {
            @Override
            public void onOpened(org.eclipse.jetty.io.Connection connection) {
              connections.incrementAndGet();
            }

            @Override
            public void onClosed(org.eclipse.jetty.io.Connection connection) {
              // Only their number counts.
            }
          });
      server.addConnector(connector);
      server.setHandler(new Answers());
      server.start();
    }

    int port() {
      return connector.getLocalPort();
    }

    @Override
    public void close() throws Exception {
      server.stop();
    }
  }

  private static final class Answers extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      String path = Request.getPathInContext(request);
      String body = Content.Source.asString(request, StandardCharsets.ISO_8859_1);
      response.getHeaders().put("Content-Type", "text/html;charset=utf-8");
      switch (path.substring(1)) {
        case "empty" -> Content.Sink.write(response, true, "", callback);
        case "nothing" -> status(response, 204, callback);
        case "unmodified" -> status(response, 304, callback);
        case "missing" -> {
          response.setStatus(404);
          Content.Sink.write(response, true, "no such page", callback);
        }
        case "broken" -> {
          response.setStatus(500);
          Content.Sink.write(response, true, "broken", callback);
        }
        case "first" -> redirect(response, 302, "/second?x=1", callback);
        case "second" -> redirect(response, 301, "third", callback);
        case "third" -> Content.Sink.write(response, true, "arrived", callback);
        case "seven" -> redirect(response, 307, "/third", callback);
        case "circle" -> redirect(response, 302, "/circle", callback);
        case "nowhere" -> redirect(response, 302, "http://[", callback);
        case "secure" -> redirect(response, 302, "https://127.0.0.1:1/", callback);
        case "spaces" -> redirect(response, 303, "/third?a=b c", callback);
        case "lost" -> status(response, 302, callback);
        case "cookie" -> {
          response.getHeaders().add("Set-Cookie", "session=s1; Path=/");
          response.getHeaders().add("Set-Cookie", "other=\"a b\"; Path=/echo; HttpOnly");
          Content.Sink.write(response, true, "cookies", callback);
        }
        case "gallery" ->
            Content.Sink.write(
                response,
                true,
                "<html><img src='one.png'/><img src='missing'/><script src='/two.js'></script>"
                    + "<img src='http://127.0.0.1:1/refused.png'/></html>",
                callback);
        case "one.png" -> {
          response.getHeaders().put("Content-Type", "image/png");
          Content.Sink.write(response, true, "picture", callback);
        }
        case "gzip" -> packed(response, "gzip", callback);
        case "deflate" -> packed(response, "deflate", callback);
        case "pieces" -> {
          Content.Sink.write(response, false, java.nio.ByteBuffer.wrap(new byte[10_000]));
          Content.Sink.write(response, true, "the end", callback);
        }
        case "large" -> Content.Sink.write(response, true, "x".repeat(300_000), callback);
        case "huge" -> Content.Sink.write(response, true, "y".repeat(1_500_000), callback);
        case "meta" -> {
          response.getHeaders().put("Content-Type", "text/html");
          Content.Sink.write(
              response,
              true,
              "<meta http-equiv=\"content-type\" content=\"text/html; charset=koi8-r\">",
              callback);
        }
        case "untyped" -> {
          response.getHeaders().remove("Content-Type");
          Content.Sink.write(response, true, "untyped", callback);
        }
        case "close" -> {
          response.getHeaders().put("Connection", "close");
          Content.Sink.write(response, true, "closed", callback);
        }
        case "keep" -> {
          response.getHeaders().put("Keep-Alive", "timeout=1");
          Content.Sink.write(response, true, "kept", callback);
        }
        default -> {
          StringBuilder echo = new StringBuilder(request.getMethod() + " ");
          echo.append(request.getHttpURI().getPathQuery()).append('\n');
          request.getHeaders().forEach(field -> echo.append(field).append('\n'));
          echo.append(body);
          Content.Sink.write(response, true, echo.toString(), callback);
        }
      }
      return true;
    }

    private static void status(Response response, int status, Callback callback) {
      response.setStatus(status);
      response.getHeaders().remove("Content-Type");
      response.write(true, null, callback);
    }

    private static void redirect(Response response, int status, String to, Callback callback) {
      response.setStatus(status);
      response.getHeaders().put("Location", to);
      Content.Sink.write(response, true, "moved", callback);
    }

    private static void packed(Response response, String coding, Callback callback)
        throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (OutputStream out =
          coding.equals("gzip") ? new GZIPOutputStream(bytes) : new DeflaterOutputStream(bytes)) {
        out.write("packed ".repeat(2_000).getBytes(StandardCharsets.UTF_8));
      }
      response.getHeaders().put("Content-Encoding", coding);
      response.getHeaders().put("Content-MD5", "none");
      response.getHeaders().put("X-Last", "last");
      response.write(true, java.nio.ByteBuffer.wrap(bytes.toByteArray()), callback);
    }
  }

  @Test
  void answersOfARealServerHaveTheSameResults() throws Exception {
    try (Web web = new Web()) {
      Draft draft = new Draft(web.port());
      draft.common.add(cookies());
      draft.common.add(headers("Accept", "*/*", "X-Turn", "${__counter(TRUE,)}"));
      for (String path :
          List.of(
              "empty",
              "nothing",
              "unmodified",
              "missing",
              "broken",
              "first",
              "seven",
              "circle",
              "nowhere",
              "secure",
              "spaces",
              "lost",
              "cookie",
              "echo",
              "gzip",
              "deflate",
              "pieces",
              "large",
              "huge",
              "meta",
              "untyped",
              "close",
              "keep")) {
        draft.request("GET", "/" + path);
      }
      draft.request("HEAD", "/large");
      draft.request("HEAD", "/first");
      draft.request("HEAD", "/gzip");
      draft.request("OPTIONS", "/echo");
      draft.request("POST", "/first");
      draft.request("POST", "/seven");
      draft.request("TRACE", "/echo");
      draft.request("PROPFIND", "/echo");
      draft.request("WRONG", "/echo");
      draft.request("GET", "/gallery").setImageParser(true);
      HTTPSamplerProxy some = draft.request("GET", "/gallery");
      some.setImageParser(true);
      some.setEmbeddedUrlRE(".*png");
      draft.request("GET", "/first").setFollowRedirects(false);
      draft.request("GET", "/large").setMD5(true);
      HTTPSamplerProxy closing = draft.request("GET", "/echo");
      closing.setUseKeepAlive(false);

      List<SampleResult> ours = compare(draft);
      assertThat(ours).hasSize(3 * draft.requests.size());
      assertThat(ours).anyMatch(result -> result.getSubResults().length > 3);
      assertThat(ours).anyMatch(result -> result.getResponseDataAsString().contains("session=s1"));
    }
  }

  @Test
  void requestsAreTheSameOnTheWire() throws Exception {
    try (Wires wires = new Wires(Wires::fine)) {
      Draft draft = new Draft(wires.port());
      draft.common.add(headers("X-One", "1", "Accept", "a/b"));
      HTTPArgument[] some = {
        argument("plain", "value", true),
        argument("strange", "a b&c=d/ä€+*'~", true),
        argument("done", "a%20b", false),
        argument("counted", "${__counter(TRUE,)}", true),
        argument("empty", "", true),
        argument("", "nameless", true),
        argument("${unset}", "unset", true)
      };
      for (String method : List.of("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")) {
        with(draft.request(method, "/some path/to"), some);
        with(draft.request(method, "/question?a=b"), some);
        draft.request(method, "relative");
        with(draft.request(method, "/raw"), argument("", "{\"a\": \"ö €\"}", false))
            .setPostBodyRaw(true);
        with(draft.request(method, "/values"), argument("", "a b", true), argument("", "c", false));
        HTTPSamplerProxy latin = with(draft.request(method, "/latin"), argument("ä", "ö ü", true));
        latin.setContentEncoding("ISO-8859-1");
      }
      for (String path :
          List.of(
              "/a//b/../c/./d",
              "/a%7Eb~c'd(e)",
              "/a;b=c,d:e@f",
              "/%C3%A4?q=%C3%A4",
              "/a?b=c d&e#part",
              "",
              "?only",
              "/ä/ö",
              "http://127.0.0.1:" + wires.port() + "/whole?x",
              "/{curly}|")) {
        draft.request("GET", path);
      }
      draft.request("POST", "/host", headers("Host", "other.example"));
      draft.request("POST", "/port", headers("Host", "other.example:80"));
      draft.request(
          "POST",
          "/typed",
          headers("Content-Type", "text/x", "content-length", "7", "User-Agent", "me"));
      draft.request("GET", "/kept", headers("Connection", "close", "X-Two", "  two\tparts é €"));
      draft.request("GET", "/baked", headers("Cookie", "a=b; c=d", "x-one", "2"));
      draft.request("GET", "/expected", headers("X-Name", "${__P(none,usual)}"));
      with(draft.request("POST", "/big"), argument("", "z".repeat(200_000), false))
          .setPostBodyRaw(true);

      List<SampleResult> theirs = run(draft, false);
      List<String> heard = wires.heard();
      List<SampleResult> ours = run(draft, true);
      assertThat(wires.heard()).isEqualTo(heard).hasSize(3 * draft.requests.size() - 3);
      compare(theirs, ours);
    }
  }

  @Test
  void brokenAnswersHaveTheSameResults() throws Exception {
    Map<String, String> answers = new TreeMap<>();
    answers.put("/none", "");
    answers.put("/garbage", "what?\r\n\r\n");
    answers.put("/prefixed", "noise\r\n" + Wires.page("after noise"));
    answers.put("/status", "HTTP/1.1 abc Bad\r\n\r\n");
    answers.put("/low", "HTTP/1.1 099 Low\r\n\r\n");
    answers.put("/colon", "HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: 0\r\n\r\n");
    answers.put("/short", "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nshort");
    answers.put("/cut", "HTTP/1.1 200 OK\r\nContent-Le");
    answers.put("/bodyless", "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
    answers.put("/chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab");
    answers.put("/size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nab");
    answers.put(
        "/trailer",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nab\r\n0\r\nX: y\r\n\r\n");
    answers.put("/feeds", "HTTP/1.1 200 OK\nContent-Length: 2\nX-Y: z\n\nab");
    answers.put("/folded", "HTTP/1.1 200 OK\r\nX-A: b\r\n  c\r\nContent-Length: 2\r\n\r\nab");
    answers.put("/old", "HTTP/1.0 200 OK\r\n\r\nto the end");
    answers.put(
        "/oldkept", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nab");
    answers.put("/ended", "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nto the end");
    answers.put("/continue", "HTTP/1.1 100 Continue\r\n\r\n" + Wires.page("continued"));
    answers.put("/twice", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nab");
    answers.put("/negative", "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nab");
    answers.put("/words", "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nab");
    answers.put("/silent", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nab");
    answers.put("/latin", "HTTP/1.1 200 Schön\r\nX: äö\r\nContent-Length: 2\r\n\r\nab");
    answers.put(
        "/unzipped", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nab");
    answers.put(
        "/unknown", "HTTP/1.1 200 OK\r\nContent-Encoding: zip\r\nContent-Length: 2\r\n\r\nab");
    answers.put("/nocontent", "HTTP/1.1 204 No\r\nContent-Length: 2\r\n\r\nab");
    answers.put(
        "/typed",
        "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\ncontent-type: image/x\r\nContent-Length: 2\r\n\r\nab");
    answers.put(
        "/401",
        "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=x\r\nContent-Length: 2\r\n\r\nab");
    answers.put(
        "/long", "HTTP/1.1 200 OK\r\nX: " + "x".repeat(20_000) + "\r\nContent-Length: 2\r\n\r\nab");
    answers.put("/left", Wires.page("left over"));
    try (Wires wires =
        new Wires(
            (request, out) -> {
              String path = request.split(" ", 3)[1];
              if (path.equals("/timeout")) {
                TimeUnit.MILLISECONDS.sleep(2 * WAIT_MILLIS);
              } else if (path.equals("/stuck")) {
                Wires.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
                TimeUnit.MILLISECONDS.sleep(2 * WAIT_MILLIS);
              } else {
                Wires.write(out, answers.get(path));
              }
              if (path.equals("/left")) {
                return; // its body is not for HEAD: the next answer seems to begin with it
              }
              throw new IOException("closed after each answer");
            })) {
      Draft draft = new Draft(wires.port());
      draft.loops = 2;
      answers.keySet().forEach(path -> draft.request("GET", path));
      draft.request("HEAD", "/short");
      draft.request("HEAD", "/left");
      draft.request("GET", "/left");
      draft.request("POST", "/none");
      for (String silent : List.of("/timeout", "/stuck")) {
        draft
            .request("GET", silent)
            .setProperty(HTTPSamplerBase.RESPONSE_TIMEOUT, Integer.toString(WAIT_MILLIS));
      }
      draft.request("GET", "/old").setProperty(HTTPSamplerBase.PORT, "1");
      draft.request("GET", "/old").setProperty(HTTPSamplerBase.PORT, "70000");
      draft.request("GET", "/old").setProperty(HTTPSamplerBase.PORT, "wrong");
      draft.request("GET", "/old").setProperty(HTTPSamplerBase.DOMAIN, "no-such-host.invalid");
      draft.request("GET", "/old").setProperty(HTTPSamplerBase.DOMAIN, "under_score.invalid");
      draft.request("GET", "/old").setProperty(HTTPSamplerBase.DOMAIN, "user:key@127.0.0.1");
      draft.request("GET", "/old").setProperty(HTTPSamplerBase.DOMAIN, "a b");
      HTTPSamplerProxy secured = draft.request("GET", "/old");
      secured.setProperty(HTTPSamplerBase.PROTOCOL, "https");
      secured.setProperty(HTTPSamplerBase.CONNECT_TIMEOUT, Integer.toString(WAIT_MILLIS));

      List<SampleResult> ours = compare(draft);
      assertThat(ours)
          .extracting(SampleResult::getResponseCode)
          .filteredOn(code -> code.startsWith("Non HTTP response code: "))
          .as("kinds of faults")
          .hasSizeGreaterThan(20)
          .contains(
              "Non HTTP response code: java.net.SocketTimeoutException",
              "Non HTTP response code: org.apache.http.NoHttpResponseException",
              "Non HTTP response code: org.apache.http.conn.HttpHostConnectException",
              "Non HTTP response code: org.apache.http.ConnectionClosedException",
              "Non HTTP response code: org.apache.http.TruncatedChunkException",
              "Non HTTP response code: org.apache.http.client.ClientProtocolException",
              "Non HTTP response code: java.net.UnknownHostException",
              "Non HTTP response code: java.util.zip.ZipException");
    }
  }

  @Test
  @Tag("thorough")
  void timesMeanTheSame() throws Exception {
    try (Wires wires =
        new Wires(
            (request, out) -> {
              TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
              Wires.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n");
              TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
              Wires.write(out, "ab");
              TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
              Wires.write(out, "cd");
            })) {
      Draft draft = new Draft(wires.port());
      draft.loops = 2;
      draft.request("GET", "/slow");
      for (SampleResult result : compare(draft)) {
        assertThat(result.getLatency()).isBetween(2L * PAUSE_MILLIS - 1, 3L * PAUSE_MILLIS - 1);
        assertThat(result.getTime()).isGreaterThanOrEqualTo(3L * PAUSE_MILLIS - 1);
        assertThat(result.getConnectTime()).isLessThan(PAUSE_MILLIS);
      }
    }
  }

  @Test
  void connectionsAreKeptAndClosedAlike() throws Exception {
    for (boolean isSameUser : List.of(true, false)) {
      try (Web web = new Web()) {
        Draft draft = new Draft(web.port());
        draft.isSameUser = isSameUser;
        draft.request("GET", "/echo");
        draft.request("POST", "/pieces");
        draft.request("GET", "/gzip");
        draft.request("GET", "/missing");
        run(draft, false);
        int theirs = web.connections.getAndSet(0);
        run(draft, true);
        assertThat(web.connections.get()).isEqualTo(theirs).isEqualTo(isSameUser ? 1 : 3);
      }
    }
  }

  @Test
  void anInterruptedRequestHasTheSameResult() throws Exception {
    try (Wires wires = new Wires((request, out) -> TimeUnit.SECONDS.sleep(10))) {
      Draft draft = new Draft(wires.port());
      draft.loops = 1;
      SampleTimeout limit = new SampleTimeout();
      limit.setTimeout("200");
      draft.request("GET", "/silent", limit);
      assertThat(compare(draft))
          .singleElement()
          .satisfies(
              result -> {
                assertThat(result.getResponseMessage()).contains("Socket closed");
                assertThat(result.getTime()).isLessThan(9_000);
              });
    }
  }

  /** What only JMeter's client can do is done by it, also in an element that was taken over. */
  @Test
  void whatIsNotSupportedIsSentByJMetersClient() throws Exception {
    List<Consumer<HTTPSamplerProxy>> kinds =
        List.of(
            request -> request.setAutoRedirects(true),
            request -> request.setDoMultipart(true),
            request -> request.setIpSource("127.0.0.1"),
            request ->
                request.setHTTPFiles(
                    new HTTPFileArg[] {new HTTPFileArg("pom.xml", "file", "text/xml")}),
            request -> {
              request.setImageParser(true);
              request.setConcurrentDwn(true);
              request.setConcurrentPool("1");
            });
    try (Web web = new Web()) {
      Draft draft = new Draft(web.port());
      for (Consumer<HTTPSamplerProxy> kind : kinds) {
        HTTPSamplerProxy request = draft.request("GET", "/first");
        kind.accept(request);
      }
      CacheManager cache = new CacheManager();
      cache.setProperty(
          TestElement.GUI_CLASS, "org.apache.jmeter.protocol.http.gui.CacheManagerGui");
      draft.request("GET", "/echo", cache);
      AuthManager keys = new AuthManager();
      keys.setProperty(TestElement.GUI_CLASS, "org.apache.jmeter.protocol.http.gui.AuthPanel");
      draft.request("GET", "/echo", keys);
      draft.request("GET", "/echo", headers("Expect", "100-continue"));
      compare(draft);
    }
  }

  /** Default parameters, two header managers, scripts: JMeter's own merging is used each time. */
  @Test
  void elementsThatOthersChangeAreMergedAnewForEachSample() throws Exception {
    try (Wires wires = new Wires((request, out) -> Wires.write(out, Wires.page("fine")))) {
      Draft draft = new Draft(wires.port());
      Arguments common = new Arguments();
      common.addArgument(argument("common", "x", true));
      draft.defaults.setProperty(
          new org.apache.jmeter.testelement.property.TestElementProperty(
              HTTPSamplerBase.ARGUMENTS, common));
      draft.common.add(headers("X-A", "1", "X-B", "2"));
      JSR223PreProcessor script = new JSR223PreProcessor();
      script.setProperty("scriptLanguage", "groovy");
      script.setProperty("cacheKey", "true");
      script.setProperty(
          "script",
          "sampler.addArgument('turn', vars.getIteration() as String); sampler.setPath('/p')");
      with(
          draft.request("POST", "/changed", script, headers("x-b", "3")),
          argument("own", "y", true));
      with(draft.request("POST", "/other"), argument("own", "y", true));

      run(draft, false);
      List<String> theirs = wires.heard();
      run(draft, true);
      assertThat(wires.heard()).isEqualTo(theirs).hasSize(6);
      assertThat(theirs.get(0)).contains("POST /p ", "own=y", "common=x", "turn=");
    }
  }

  @Test
  void foreignCompanyOrThePropertyKeepsJMetersElements() {
    Draft plain = new Draft(1);
    plain.request("GET", "/");
    assertThat(kinds(plain)).containsExactly(PlainSampler.class);

    Draft java = new Draft(1);
    java.request("GET", "/").setImplementation("Java");
    Draft variable = new Draft(1);
    variable.request("GET", "/").setProperty(HTTPSamplerBase.PROTOCOL, "${protocol}");
    Draft foreign = new Draft(1);
    foreign.request("GET", "/");
    foreign.common.add(new org.example.Foreign());
    for (Draft draft : List.of(java, variable, foreign)) {
      assertThat(kinds(draft)).containsExactly(HTTPSamplerProxy.class);
    }

    org.apache.jmeter.util.JMeterUtils.setProperty(PlainHttp.PROPERTY, "jmeter");
    try {
      assertThat(kinds(plain)).containsExactly(HTTPSamplerProxy.class);
    } finally {
      org.apache.jmeter.util.JMeterUtils.getJMeterProperties().remove(PlainHttp.PROPERTY);
    }
  }

  private static List<Class<?>> kinds(Draft draft) {
    HashTree tree = draft.tree(new Samples());
    PlainHttp.takeOver(tree);
    SearchByClass<HTTPSamplerBase> found = new SearchByClass<>(HTTPSamplerBase.class);
    tree.traverse(found);
    List<Class<?>> kinds = new ArrayList<>();
    found.getSearchResults().forEach(request -> kinds.add(request.getClass()));
    return kinds;
  }

  /** A server that records requests byte by byte, and answers with anything. */
  private static final class Wires implements AutoCloseable {
    private final ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<String> heard = Collections.synchronizedList(new ArrayList<>());
    private final Answer answer;

    /** Answers a request; the connection ends with an exception. */
    interface Answer {
      void to(String request, OutputStream out) throws IOException, InterruptedException;
    }

    Wires(Answer answer) throws IOException {
      this.answer = answer;
      Thread thread = new Thread(this::accept, "wires");
      thread.setDaemon(true);
      thread.start();
    }

    static String page(String text) {
      return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: "
          + text.length()
          + "\r\n\r\n"
          + text;
    }

    /** Answers with a page; HEAD without the body, which the next answer would begin with. */
    static void fine(String request, OutputStream out) throws IOException {
      String page = page("fine");
      write(out, request.startsWith("HEAD ") ? page.replace("fine", "") : page);
    }

    static void write(OutputStream out, String text) throws IOException {
      out.write(text.getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
    }

    int port() {
      return door.getLocalPort();
    }

    /** Returns what was heard since the last call. */
    List<String> heard() {
      synchronized (heard) {
        List<String> all = List.copyOf(heard);
        heard.clear();
        return all;
      }
    }

    private void accept() {
      try {
        while (true) {
          Socket socket = door.accept();
          socket.setTcpNoDelay(true);
          Thread thread = new Thread(() -> serve(socket), "wire");
          thread.setDaemon(true);
          thread.start();
        }
      } catch (IOException closed) {
        // The test is over.
      }
    }

    private void serve(Socket socket) {
      try (socket;
          InputStream in = new BufferedInputStream(socket.getInputStream())) {
        while (true) {
          String request = request(in);
          if (request.isEmpty()) {
            return;
          }
          heard.add(request);
          answer.to(request, socket.getOutputStream());
        }
      } catch (IOException | InterruptedException ended) {
        // The next connection has a thread of its own.
      }
    }

    private static String request(InputStream in) throws IOException {
      StringBuilder text = new StringBuilder();
      int letter;
      while (text.indexOf("\r\n\r\n", text.length() - 4) < 0 && (letter = in.read()) >= 0) {
        text.append((char) letter);
      }
      int length =
          text.toString()
              .lines()
              .filter(line -> line.startsWith("Content-Length: "))
              .mapToInt(line -> Integer.parseInt(line.substring("Content-Length: ".length())))
              .findFirst()
              .orElse(0);
      for (int i = 0; i < length; i++) {
        text.append((char) in.read());
      }
      return text.toString();
    }

    @Override
    public void close() throws IOException {
      door.close();
    }
  }
}
