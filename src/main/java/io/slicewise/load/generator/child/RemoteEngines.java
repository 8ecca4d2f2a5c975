package io.slicewise.load.generator.child;

import java.io.IOException;
import java.nio.file.Path;
import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.jmeter.engine.ClientJMeterEngine;
import org.apache.jmeter.engine.JMeterEngineException;
import org.apache.jmeter.util.JMeterUtils;
import org.apache.jorphan.collections.HashTree;

/** The users run on JMeter's own servers, each of which runs the whole plan. */
final class RemoteEngines implements LoadEngine {
  private static final Duration FREE_LIMIT = Duration.ofSeconds(15);
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final List<String> servers;
  private final Properties properties;
  private final Duration longest;
  private final EngineMark marks;
  private final EngineWatch watch;
  private final Map<String, ClientJMeterEngine> engines = new ConcurrentHashMap<>();
  private HashTree plan = new HashTree();

  /**
   * @param properties of the plan, which the servers are sent
   * @param longest after which the users end by themselves
   */
  RemoteEngines(SampleTap tap, Properties properties, Duration longest) {
    this.servers = List.of(JMeterUtils.getPropDefault(Generator.SERVERS, "").split(","));
    this.properties = sent(properties);
    this.longest = longest;
    this.marks =
        new EngineMark(Path.of(JMeterUtils.getPropDefault(Generator.MARKS, "jmeter-marks")));
    this.watch = new EngineWatch(tap, servers, marks::clear);
  }

  private static Properties sent(Properties all) {
    Properties sent = new Properties();
    all.forEach(
        (name, value) -> {
          if (!name.toString().startsWith("slicewise.")
              && !name.toString().startsWith("server.rmi.")) {
            sent.put(name, value);
          }
        });
    return sent;
  }

  EngineWatch watch() {
    return watch;
  }

  @Override
  public void configure(HashTree loaded) throws LoadedPlan.Fault {
    plan = loaded;
    new EngineKeys().agreeWith(servers);
    for (String server : servers) {
      connect(server);
    }
  }

  private ClientJMeterEngine connect(String server) throws LoadedPlan.Fault {
    try {
      ClientJMeterEngine engine = new ClientJMeterEngine(server);
      engine.configure(plan);
      engine.setProperties(properties);
      engines.put(server, engine);
      return engine;
    } catch (NotBoundException | RemoteException fault) {
      throw new LoadedPlan.Fault(
          "JMeter server %s cannot be reached: %s".formatted(server, fault.getMessage()), fault);
    }
  }

  @Override
  public void run(Runnable started) throws LoadedPlan.Fault {
    List<CompletableFuture<Void>> starts = new ArrayList<>();
    for (String server : servers) {
      starts.add(
          CompletableFuture.runAsync(
              () -> {
                try {
                  start(server);
                } catch (LoadedPlan.Fault fault) {
                  throw new CompletionException(fault);
                }
              },
              work -> new Thread(work, "start " + server).start()));
    }
    try {
      CompletableFuture.allOf(starts.toArray(CompletableFuture[]::new)).join();
    } catch (CompletionException fault) {
      stop(true);
      throw fault.getCause() instanceof LoadedPlan.Fault known
          ? known
          : new LoadedPlan.Fault("JMeter's servers did not start: " + fault.getCause(), fault);
    }
    awaitStart();
    started.run();
    watch.awaitEnd();
  }

  /** JMeter starts one server after the other; the load begins with the last one. */
  private void awaitStart() throws LoadedPlan.Fault {
    Optional<String> late = watch.lateAtStart(START_LIMIT);
    if (late.isPresent()) {
      stop(true);
      throw new LoadedPlan.Fault(
          "JMeter server %s did not start its users within %d s"
              .formatted(late.get(), START_LIMIT.toSeconds()),
          null);
    }
  }

  /** Starts a server's users; those that a lost process of this machine left there are stopped. */
  private void start(String server) throws LoadedPlan.Fault {
    boolean left = marks.isLeft(server);
    long limit = System.nanoTime() + FREE_LIMIT.toNanos();
    while (true) {
      try {
        ClientJMeterEngine engine = connect(server);
        marks.set(server, Instant.now().plus(longest));
        engine.runTest();
        return;
      } catch (IllegalStateException busy) {
        if (!left || System.nanoTime() > limit) {
          marks.clear(server);
          throw new LoadedPlan.Fault(
              "JMeter server %s is busy with a test that is not this machine's".formatted(server),
              busy);
        }
        engines.get(server).stopTest(true);
        LockSupport.parkNanos(RETRY_NANOS);
      } catch (JMeterEngineException | IOException fault) {
        throw new LoadedPlan.Fault(
            "JMeter server %s did not start: %s".formatted(server, fault.getMessage()), fault);
      }
    }
  }

  /** Returns at once: a server that does not answer must not delay the others. */
  @Override
  public void stop(boolean now) {
    watch.endWindow();
    engines
        .values()
        .forEach(
            engine -> {
              Thread stopping = new Thread(() -> engine.stopTest(now), "stop");
              stopping.setDaemon(true);
              stopping.start();
            });
  }

  @Override
  public void beginWindow() {
    watch.beginWindow();
  }

  @Override
  public int users() {
    return watch.users();
  }

  @Override
  public Optional<String> fault() {
    return watch.fault();
  }
}
