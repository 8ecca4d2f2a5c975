package io.slicewise.load.generator.child;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.jmeter.samplers.Remoteable;
import org.apache.jmeter.samplers.SampleEvent;
import org.apache.jmeter.testelement.TestStateListener;

/**
 * Receives the samples of JMeter's servers and notices a server from which none arrive: JMeter
 * itself waits for such a server and says nothing. A sample names its server at the start of its
 * thread's name.
 */
final class EngineWatch extends WholeSamples implements TestStateListener, Remoteable {
  private static final long serialVersionUID = 1L;
  private static final Duration SILENCE = Duration.ofSeconds(5);

  private final transient SampleTap tap;
  private final transient Consumer<String> whenEnded;
  private final transient Map<String, Heard> servers = new LinkedHashMap<>();
  private transient volatile long windowNanos = Long.MAX_VALUE;

  /** What is known of a server. */
  private static final class Heard {
    private final CompletableFuture<Void> started = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile long nanos = System.nanoTime();
    private volatile int users;
  }

  /**
   * @param whenEnded receives each server whose users have ended
   */
  EngineWatch(SampleTap tap, List<String> servers, Consumer<String> whenEnded) {
    this.tap = tap;
    this.whenEnded = whenEnded;
    servers.forEach(server -> this.servers.put(server, new Heard()));
    setName("samples");
  }

  @Override
  public void sampleOccurred(SampleEvent event) {
    String thread = event.getResult().getThreadName();
    servers.forEach(
        (server, heard) -> {
          if (thread.startsWith(server + "-")) {
            heard.nanos = System.nanoTime();
            heard.users = event.getResult().getAllThreads();
          }
        });
    tap.sampleOccurred(event);
  }

  void beginWindow() {
    windowNanos = System.nanoTime();
  }

  /** Servers that are asked to stop may be silent. */
  void endWindow() {
    windowNanos = Long.MAX_VALUE;
  }

  int users() {
    return servers.values().stream().mapToInt(heard -> heard.users).sum();
  }

  /** Returns a sentence about a server without samples in the window. */
  Optional<String> fault() {
    long now = System.nanoTime();
    if (windowNanos > now) {
      return Optional.empty();
    }
    return servers.entrySet().stream()
        .filter(server -> now - Math.max(windowNanos, server.getValue().nanos) > SILENCE.toNanos())
        .map(
            server ->
                "JMeter server %s sent no sample for %d s in the window, so it or its network ended"
                    .formatted(server.getKey(), SILENCE.toSeconds()))
        .findFirst();
  }

  /** Waits until all servers start their users; returns one that does not within that time. */
  Optional<String> lateAtStart(Duration limit) {
    all(heard -> heard.started)
        .completeOnTimeout(null, limit.toMillis(), TimeUnit.MILLISECONDS)
        .join();
    return servers.entrySet().stream()
        .filter(server -> !server.getValue().started.isDone())
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** Waits until the users of all servers have ended. */
  void awaitEnd() {
    all(heard -> heard.ended).join();
  }

  private CompletableFuture<Void> all(Function<Heard, CompletableFuture<Void>> event) {
    return CompletableFuture.allOf(
        servers.values().stream().map(event).toArray(CompletableFuture[]::new));
  }

  @Override
  public void testEnded(String host) {
    whenEnded.accept(host);
    Heard heard = servers.get(host);
    if (heard != null) {
      heard.users = 0;
      heard.ended.complete(null);
    }
  }

  /** The same object for all servers, as JMeter's own collector of results is. */
  @Override
  public Object clone() {
    return this;
  }

  @Override
  public void testStarted() {
    // Each server says so itself.
  }

  @Override
  public void testStarted(String host) {
    Optional.ofNullable(servers.get(host)).ifPresent(heard -> heard.started.complete(null));
  }

  @Override
  public void testEnded() {
    // Each server says so itself.
  }
}
