package io.slicewise.load.generator.child.http;

import io.slicewise.load.generator.child.http.RequestSettings.Value;
import java.io.UnsupportedEncodingException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.http.NameValuePair;
import org.apache.http.client.utils.URLEncodedUtils;
import org.apache.http.entity.ContentType;
import org.apache.http.message.BasicNameValuePair;
import org.apache.jmeter.config.Argument;
import org.apache.jmeter.config.Arguments;
import org.apache.jmeter.protocol.http.util.HTTPArgument;
import org.apache.jmeter.testelement.property.JMeterProperty;

/** The parameters of a request, in the query of its URL or in its body. */
final class Parameters {
  private final List<Parameter> list = new ArrayList<>();
  private final boolean isText;
  private final String encoding;
  private final Charset charset;
  private final ContentType textType;
  private final ContentType formType;
  private String[] lastValues = {};
  private Body lastBody;

  /** A parameter with its name as it is in a query. */
  private record Parameter(
      String name, String encodedName, Value value, boolean isEncoded, String sign) {
    /** Whether JMeter leaves it out of forms: its name is blank, or a variable that is not set. */
    boolean isSkipped() {
      String trimmed = name.trim();
      return trimmed.isEmpty() || (trimmed.startsWith("${") && name.endsWith("}"));
    }
  }

  /** A request's body as bytes, and as text for the sample. */
  static final class Body {
    private final byte[] bytes;
    private final String text;
    private final String type;

    private Body(byte[] bytes, String text, String type) {
      this.bytes = bytes;
      this.text = text;
      this.type = type;
    }

    /** Returns its bytes, which nobody changes. */
    byte[] bytes() {
      return bytes;
    }

    String text() {
      return text;
    }

    String type() {
      return type;
    }
  }

  private Parameters(Arguments arguments, boolean raw, String encoding) {
    this.encoding = encoding;
    charset = Charset.forName(encoding);
    formType = ContentType.create(URLEncodedUtils.CONTENT_TYPE, encoding);
    textType = ContentType.create(ContentType.TEXT_PLAIN.getMimeType(), encoding);
    for (JMeterProperty property : arguments) {
      HTTPArgument argument = (HTTPArgument) property.getObjectValue();
      list.add(
          new Parameter(
              argument.getName(),
              argument.getEncodedName(),
              Value.of(argument.getPropertyOrNull(Argument.VALUE), ""),
              argument.isAlwaysEncoded(),
              argument.getMetaData() == null ? "=" : argument.getMetaData()));
    }
    isText =
        raw || (!list.isEmpty() && list.stream().allMatch(parameter -> parameter.name().isEmpty()));
  }

  /**
   * @param raw whether the values are the body, one after the other
   */
  static Parameters of(Arguments arguments, boolean raw, String encoding) {
    return new Parameters(arguments, raw, encoding);
  }

  /** Whether the values are the request's body, one after the other, even of a GET. */
  boolean areText() {
    return isText;
  }

  /** Returns the query with these parameters. */
  String query() {
    if (list.isEmpty()) {
      return "";
    }
    StringBuilder query = new StringBuilder(list.size() * 15);
    for (Parameter parameter : list) {
      if (parameter.encodedName().isEmpty()) {
        continue;
      }
      if (query.length() > 0) {
        query.append('&');
      }
      query
          .append(parameter.encodedName())
          .append(parameter.sign())
          .append(encoded(parameter, parameter.value().get()));
    }
    return query.toString();
  }

  /** Returns the body: the last one if no value has changed. */
  Body body() throws UnsupportedEncodingException {
    String[] values = new String[list.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = isText || !list.get(i).isSkipped() ? list.get(i).value().get() : "";
    }
    if (lastBody == null || !Arrays.equals(values, lastValues)) {
      lastBody = isText ? text(values) : form(values);
      lastValues = values;
    }
    return lastBody;
  }

  private Body text(String[] values) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < values.length; i++) {
      text.append(encoded(list.get(i), values[i]));
    }
    String whole = text.toString();
    return new Body(whole.getBytes(charset), whole, textType.toString());
  }

  private Body form(String[] values) throws UnsupportedEncodingException {
    List<NameValuePair> pairs = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      Parameter parameter = list.get(i);
      if (!parameter.isSkipped()) {
        pairs.add(
            parameter.isEncoded()
                ? new BasicNameValuePair(parameter.name(), values[i])
                : new BasicNameValuePair(
                    URLDecoder.decode(parameter.name(), encoding),
                    URLDecoder.decode(values[i], encoding)));
      }
    }
    String form = URLEncodedUtils.format(pairs, encoding);
    byte[] bytes = form.getBytes(charset);
    return new Body(bytes, new String(bytes, charset), formType.toString());
  }

  private String encoded(Parameter parameter, String value) {
    if (!parameter.isEncoded() || isPlain(value)) {
      return value;
    }
    return URLEncoder.encode(value, charset);
  }

  private static boolean isPlain(String value) {
    for (int i = 0; i < value.length(); i++) {
      char letter = value.charAt(i);
      boolean plain =
          (letter >= 'a' && letter <= 'z')
              || (letter >= 'A' && letter <= 'Z')
              || (letter >= '0' && letter <= '9');
      if (!plain) {
        return false;
      }
    }
    return true;
  }
}
