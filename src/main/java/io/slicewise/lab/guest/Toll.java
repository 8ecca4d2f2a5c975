package io.slicewise.lab.guest;

import io.slicewise.lab.guest.GuestHost.Work;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Determines how long an exchange waits before its answer is sent. */
@FunctionalInterface
public interface Toll {
  /** The most bytes of a request that a toll may look at. */
  int TEXT = 4096;

  /**
   * One exchange of a connection, at the start of its answer.
   *
   * @param requestBytes bytes from the client since the previous answer; 0 if the server sends
   *     first
   * @param answerBytes the answer's first bytes, at most one buffer
   * @param request the first of those bytes as Latin-1, at most {@value #TEXT}
   * @param service time of the real server from the request's last byte to the answer's first
   */
  record Exchange(long requestBytes, long answerBytes, String request, Duration service) {}

  /** Completes when the answer may be sent; fails if the connection must be closed. */
  CompletionStage<Void> pay(Exchange exchange);

  /**
   * Returns a toll of CPU time in guests.
   *
   * @param works the costs of an exchange by domain, executed in order
   */
  static Toll of(GuestHost host, Function<Exchange, List<Work>> works) {
    return exchange -> host.spend(works.apply(exchange));
  }
}
