package io.slicewise.workload.counters;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Visible;
import io.slicewise.ssh.Connection;
import io.slicewise.ssh.Tunnel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A server with Prometheus's HTTP API, asked directly or through a tunnel over SSH. Secrets go into
 * a header, never into an address.
 */
final class PrometheusServer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int LARGEST = 64 << 20;
  private static final int OK = 200;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int SHOWN = 200;

  private final URI address;
  private final Optional<Connection> machine;
  private final String user;
  private final Secret secret;
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private Optional<Tunnel> tunnel = Optional.empty();

  /**
   * @param user empty if the secret is a token
   */
  PrometheusServer(URI address, Optional<Connection> machine, String user, Secret secret) {
    this.address = address;
    this.machine = machine;
    this.user = user;
    this.secret = secret;
  }

  /**
   * The server's clock against this machine's.
   *
   * @param bound by how much it may be off
   */
  record Clock(Duration ahead, Duration bound) {
    private static final Duration STEP = Duration.ofMillis(300);

    /** Returns whether one of the clocks was set since another look. */
    boolean isStepFrom(Clock before) {
      return ahead.minus(before.ahead).abs().compareTo(bound.plus(before.bound).plus(STEP)) > 0;
    }

    /** Returns an instant of this machine as the server's time in seconds since 1970. */
    double theirs(Instant ours) {
      Instant theirs = ours.plus(ahead);
      return theirs.getEpochSecond() + theirs.getNano() / 1e9;
    }
  }

  /**
   * Returns the server's clock.
   *
   * @throws SlicewiseException if it does not answer
   * @throws io.slicewise.ssh.RemoteShellException if its machine cannot be reached
   */
  Clock clock() {
    root();
    Instant asked = Instant.now();
    double theirs = ask("query=time()").path(1).asDouble(Double.NaN);
    Duration half = Duration.between(asked, Instant.now()).dividedBy(2);
    if (Double.isNaN(theirs)) {
      throw unusable("does not show its clock");
    }
    Instant read = Instant.ofEpochMilli(Math.round(theirs * 1e3));
    return new Clock(Duration.between(asked.plus(half), read), half.abs());
  }

  /**
   * Returns the raw samples of a selector.
   *
   * @param end in seconds since 1970, by the server's clock
   * @param seconds before it
   * @throws SlicewiseException if it does not answer
   */
  Samples samples(String selector, double end, double seconds) {
    String range = Phrase.of("%s[%.0fms]", selector, 1e3 * seconds);
    JsonNode result =
        ask(
            "query="
                + URLEncoder.encode(range, StandardCharsets.UTF_8)
                + Phrase.of("&time=%.3f", end));
    return Samples.of(selector, result);
  }

  private JsonNode ask(String query) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(root() + "api/v1/query?" + query));
    if (!secret.isEmpty()) {
      request.header("Authorization", login());
    }
    // The client's own limit ends with the head of an answer.
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    CompletableFuture<HttpResponse<Void>> asked =
        client.sendAsync(
            request.build(),
            HttpResponse.BodyHandlers.ofByteArrayConsumer(
                part -> part.filter(any -> body.size() <= LARGEST).ifPresent(body::writeBytes)));
    try {
      int status = asked.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).statusCode();
      return result(status, body.toByteArray());
    } catch (TimeoutException late) {
      throw unusable("does not answer within " + DurationText.of(PATIENCE));
    } catch (ExecutionException fault) {
      throw fault.getCause() instanceof IOException cause
          ? unusable("does not answer: " + FileFault.reason(cause))
          : new IllegalStateException(fault.getCause());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw unusable("was not asked to the end");
    } finally {
      asked.cancel(true);
    }
  }

  private String login() {
    return user.isEmpty()
        ? "Bearer " + secret.reveal()
        : "Basic "
            + Base64.getEncoder()
                .encodeToString((user + ":" + secret.reveal()).getBytes(StandardCharsets.UTF_8));
  }

  private JsonNode result(int status, byte[] body) {
    if (status == UNAUTHORIZED || status == FORBIDDEN) {
      throw unusable(
          "refuses the login (status %d): check 'user' and its secret".formatted(status));
    }
    if (body.length > LARGEST) {
      throw unusable("answers with more than 64 MB: name fewer series");
    }
    JsonNode answer = json(body);
    if (status != OK || !answer.path("status").asText().equals("success")) {
      String error = Visible.line(answer.path("error").asText("no reason given"));
      throw unusable(
          "answers with status %d: %s"
              .formatted(status, error.substring(0, Math.min(SHOWN, error.length()))));
    }
    if (!answer.path("warnings").isEmpty()) {
      throw unusable(
          "has only a part of the answer: "
              + Visible.line(answer.path("warnings").path(0).asText()));
    }
    return answer.path("data").path("result");
  }

  private JsonNode json(byte[] body) {
    try {
      return Json.mapper().readTree(body);
    } catch (JsonProcessingException other) {
      throw unusable("answers with something else than JSON: is it a Prometheus?");
    } catch (IOException fault) {
      throw unusable("answers with something unreadable: " + FileFault.reason(fault));
    }
  }

  /** Returns its address as it is reached from here, with a slash at its end. */
  private String root() {
    String text = address.toString();
    String all = text.endsWith("/") ? text : text + "/";
    if (machine.isEmpty()) {
      return all;
    }
    if (tunnel.filter(Tunnel::isOpen).isEmpty()) {
      close();
      int port = address.getPort() < 0 ? 80 : address.getPort();
      tunnel = Optional.of(Tunnel.open(machine.get(), address.getHost(), port));
    }
    URI whole = URI.create(all);
    return "http://127.0.0.1:" + tunnel.get().port() + whole.getRawPath();
  }

  private SlicewiseException unusable(String what) {
    return new SlicewiseException(
        ErrorKind.NOT_READY,
        "the metrics server %s%s %s"
            .formatted(
                address, machine.map(via -> " (through " + via.address() + ")").orElse(""), what),
        "check 'server' of the workload");
  }

  @Override
  public void close() {
    tunnel.ifPresent(Tunnel::close);
    tunnel = Optional.empty();
  }
}
