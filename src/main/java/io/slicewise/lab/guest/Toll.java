package io.slicewise.lab.guest;

import io.slicewise.lab.guest.GuestHost.Work;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** What an exchange has to wait for before its answer may leave. */
@FunctionalInterface
public interface Toll {
  /**
   * One exchange of a connection when its answer begins.
   *
   * @param requestBytes what the client has said since the answer before; 0 for a server that
   *     speaks first
   * @param answerBytes the answer's first bytes, at most a buffer full
   * @param service how long the real server took from the request's last byte to the answer's first
   */
  record Exchange(long requestBytes, long answerBytes, Duration service) {}

  /** Completes when the answer may leave; fails when the connection shall break instead. */
  CompletionStage<Void> pay(Exchange exchange);

  /**
   * CPU time of guests.
   *
   * @param works what an exchange costs, and in which domains; they are executed in that order
   */
  static Toll of(GuestHost host, Function<Exchange, List<Work>> works) {
    return exchange -> host.spend(works.apply(exchange));
  }
}
