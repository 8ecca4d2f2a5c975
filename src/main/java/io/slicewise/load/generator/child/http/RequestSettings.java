package io.slicewise.load.generator.child.http;

import java.net.MalformedURLException;
import java.net.URL;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.jmeter.config.Argument;
import org.apache.jmeter.config.Arguments;
import org.apache.jmeter.protocol.http.control.CookieManager;
import org.apache.jmeter.protocol.http.control.Header;
import org.apache.jmeter.protocol.http.control.HeaderManager;
import org.apache.jmeter.protocol.http.sampler.HTTPSamplerBase;
import org.apache.jmeter.protocol.http.util.HTTPArgument;
import org.apache.jmeter.testelement.TestElement;
import org.apache.jmeter.testelement.property.FunctionProperty;
import org.apache.jmeter.testelement.property.JMeterProperty;

/**
 * What an HTTP request of the plan asks for, after its defaults were merged in. JMeter looks each
 * property up, by name in a synchronized map, whenever it is needed; here each is looked up once,
 * and its functions and variables are evaluated as often as by JMeter.
 */
final class RequestSettings {
  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

  /** Headers that change how HttpClient sends a request. */
  private static final Set<String> FRAMING = Set.of("transfer-encoding", "expect");

  private static final List<String> SWITCHES =
      List.of(
          HTTPSamplerBase.FOLLOW_REDIRECTS,
          HTTPSamplerBase.AUTO_REDIRECTS,
          HTTPSamplerBase.USE_KEEPALIVE,
          HTTPSamplerBase.DO_MULTIPART_POST,
          HTTPSamplerBase.POST_BODY_RAW,
          HTTPSamplerBase.MD5,
          HTTPSamplerBase.IMAGE_PARSER,
          HTTPSamplerBase.CONCURRENT_DWN,
          HTTPSamplerBase.CONTENT_ENCODING);

  private static final String HTTP = "http://";
  private static final String HTTPS = "https://";

  private final PlainSampler sampler;
  private final Value name;
  private final Value protocol;
  private final Value domain;
  private final Value port;
  private final Value path;
  private final Value method;
  private final Value connectTimeout;
  private final Value responseTimeout;
  private final boolean keepsAlive;
  private final boolean storesText;
  private final CookieManager cookies;
  private final List<HeaderLine> headers = new ArrayList<>();
  private final Parameters parameters;
  private final Optional<String> unsupported;
  private UrlParts lastParts;
  private URL lastUrl;

  /** A header of the plan's header manager. */
  record HeaderLine(String name, Value value) {}

  /** What a URL is made of. */
  private record UrlParts(String protocol, String domain, String port, String file) {}

  private RequestSettings(PlainSampler sampler) {
    this.sampler = sampler;
    name = value(TestElement.NAME, "");
    protocol = value(HTTPSamplerBase.PROTOCOL, "");
    domain = value(HTTPSamplerBase.DOMAIN, "");
    port = value(HTTPSamplerBase.PORT, "");
    path = value(HTTPSamplerBase.PATH, "");
    method = value(HTTPSamplerBase.METHOD, HTTPSamplerBase.DEFAULT_METHOD);
    connectTimeout = value(HTTPSamplerBase.CONNECT_TIMEOUT, "");
    responseTimeout = value(HTTPSamplerBase.RESPONSE_TIMEOUT, "");
    keepsAlive = sampler.getUseKeepAlive();
    storesText = !sampler.useMD5();
    cookies = sampler.getCookieManager();
    Optional<String> reason = reason(sampler).or(() -> readHeaders(sampler.getHeaderManager()));
    Arguments arguments = sampler.getArguments();
    if (reason.isEmpty()) {
      reason = reason(arguments);
    }
    unsupported = reason;
    parameters =
        unsupported.isPresent()
            ? null
            : Parameters.of(arguments, sampler.getPostBodyRaw(), sampler.getContentEncoding());
  }

  /** Reads the settings of an element whose defaults were merged in. */
  static RequestSettings of(PlainSampler sampler) {
    return new RequestSettings(sampler);
  }

  private Value value(String property, String otherwise) {
    return Value.of(sampler.getPropertyOrNull(property), otherwise);
  }

  private static Optional<String> reason(PlainSampler sampler) {
    String reason = null;
    if (SWITCHES.stream()
        .anyMatch(option -> sampler.getPropertyOrNull(option) instanceof FunctionProperty)) {
      reason = "an option that is a function";
    } else if (sampler.getAuthManager() != null) {
      reason = "an authorization manager";
    } else if (sampler.getCacheManager() != null) {
      reason = "a cache manager";
    } else if (sampler.getDNSResolver() != null) {
      reason = "a DNS cache manager";
    } else if (sampler.getKeystoreConfig() != null) {
      reason = "a keystore";
    } else if (sampler.getAutoRedirects()) {
      reason = "redirects that the client follows";
    } else if (sampler.isImageParser() && sampler.isConcurrentDwn()) {
      reason = "embedded resources that are fetched in parallel";
    } else if (sampler.getHTTPFiles().length > 0) {
      reason = "files";
    } else if (sampler.getDoMultipart()) {
      reason = "a multipart form";
    } else if (isSet(sampler, HTTPSamplerBase.IP_SOURCE)) {
      reason = "a source address";
    } else if (isSet(sampler, HTTPSamplerBase.PROXYHOST)) {
      reason = "a proxy";
    } else if (!isCharset(sampler.getContentEncoding())) {
      reason = "an encoding that Java does not know";
    }
    return Optional.ofNullable(reason);
  }

  private static boolean isSet(PlainSampler sampler, String property) {
    JMeterProperty found = sampler.getPropertyOrNull(property);
    return found instanceof FunctionProperty
        || (found != null && found.getStringValue() != null && !found.getStringValue().isBlank());
  }

  private static boolean isCharset(String name) {
    try {
      return Charset.isSupported(name);
    } catch (IllegalCharsetNameException malformed) {
      return false;
    }
  }

  private Optional<String> readHeaders(HeaderManager manager) {
    if (manager == null || manager.getHeaders() == null) {
      return Optional.empty();
    }
    for (JMeterProperty property : manager.getHeaders()) {
      Header header = (Header) property.getObjectValue();
      Value own = Value.of(header.getPropertyOrNull("Header.name"), "");
      if (!own.isFixed() || !TOKEN.matcher(own.get()).matches()) {
        return Optional.of("a header whose name is a function or malformed");
      }
      if (FRAMING.contains(own.get().toLowerCase(Locale.ROOT))) {
        return Optional.of("a header " + own.get());
      }
      headers.add(
          new HeaderLine(own.get(), Value.of(header.getPropertyOrNull("Header.value"), "")));
    }
    return Optional.empty();
  }

  private static Optional<String> reason(Arguments arguments) {
    if (arguments == null || arguments.getArguments() == null) {
      return Optional.of("no list of parameters");
    }
    for (JMeterProperty property : arguments) {
      if (!(property.getObjectValue() instanceof HTTPArgument argument)) {
        return Optional.of("a parameter of another kind");
      }
      if (argument.getPropertyOrNull(Argument.ARG_NAME) instanceof FunctionProperty) {
        return Optional.of("a parameter whose name is a function");
      }
    }
    return Optional.empty();
  }

  /** Returns what JMeter's client must be used for; empty if nothing. */
  Optional<String> unsupported() {
    return unsupported;
  }

  String name() {
    return name.get();
  }

  String method() {
    return method.get();
  }

  boolean keepsAlive() {
    return keepsAlive;
  }

  /** Whether the text of answers is kept, and not its checksum. */
  boolean storesText() {
    return storesText;
  }

  /** Returns the plan's cookie manager; null if there is none. */
  CookieManager cookies() {
    return cookies;
  }

  List<HeaderLine> headers() {
    return headers;
  }

  Parameters parameters() {
    return parameters;
  }

  /** The limit in milliseconds; 0 = none. */
  int connectTimeout() {
    return Math.max(0, connectTimeout.number());
  }

  /** The limit in milliseconds; 0 = none. */
  int responseTimeout() {
    return Math.max(0, responseTimeout.number());
  }

  /** Returns the request's URL: the last one if nothing in it has changed. */
  URL url(String method) throws MalformedURLException {
    String own = sampler.withoutSpaces(path.get());
    if (own.startsWith(HTTP) || own.startsWith(HTTPS)) {
      return url(new UrlParts("", "", "", own));
    }
    String host = domain.get();
    String scheme = protocol.get();
    StringBuilder file = new StringBuilder(100);
    if (!own.startsWith("/")) {
      file.append('/');
    }
    file.append(own);
    if (method.equals("GET") || method.equals("DELETE") || method.equals("OPTIONS")) {
      String query = parameters.query();
      if (!query.isEmpty()) {
        file.append(own.contains("?") ? '&' : '?').append(query);
      }
    }
    return url(
        new UrlParts(
            scheme == null || scheme.isEmpty() ? "http" : scheme,
            host,
            port.get(),
            file.toString()));
  }

  private URL url(UrlParts parts) throws MalformedURLException {
    if (!parts.equals(lastParts)) {
      lastUrl = made(parts);
      lastParts = parts;
    }
    return lastUrl;
  }

  private static URL made(UrlParts parts) throws MalformedURLException {
    if (parts.protocol().isEmpty()) {
      return new URL(parts.file());
    }
    int number = portNumber(parts.port());
    boolean https = parts.protocol().equalsIgnoreCase("https");
    boolean http = parts.protocol().equalsIgnoreCase("http");
    boolean usual = number == 0 || (http && number == 80) || (https && number == 443);
    return usual
        ? new URL(parts.protocol(), parts.domain(), parts.file())
        : new URL(parts.protocol(), parts.domain(), number, parts.file());
  }

  private static int portNumber(String text) {
    try {
      return text == null || text.isEmpty() ? 0 : Integer.parseInt(text.trim());
    } catch (NumberFormatException other) {
      return 0;
    }
  }

  /**
   * A text of the plan: fixed, or made of functions and variables and therefore evaluated whenever
   * it is needed.
   */
  record Value(String fixed, FunctionProperty live) {
    /**
     * @param property null if the element does not have it
     */
    static Value of(JMeterProperty property, String otherwise) {
      if (property instanceof FunctionProperty function) {
        return new Value("", function);
      }
      String text = property == null ? null : property.getStringValue();
      return new Value(text == null ? otherwise : text, null);
    }

    boolean isFixed() {
      return live == null;
    }

    String get() {
      return live == null ? fixed : live.getStringValue();
    }

    /** Returns the number as JMeter reads it: 0 for anything else. */
    int number() {
      String text = get();
      if (text == null || text.isEmpty()) {
        return 0;
      }
      try {
        return Integer.parseInt(text);
      } catch (NumberFormatException other) {
        return 0;
      }
    }
  }
}
