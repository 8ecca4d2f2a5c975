package io.slicewise.load.generator.child;

import io.slicewise.load.generator.child.Generator.LoadEngine;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.jmeter.engine.ClientJMeterEngine;
import org.apache.jmeter.engine.JMeterEngineException;
import org.apache.jmeter.rmi.SSLRMIClientSocketFactory;
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

  /**
   * The keys with which this process and JMeter's servers know each other. A server's address in
   * its registry contains the path of the keystore as the server has it, and JMeter opens that path
   * here too; and the other way round. So this process takes the servers' path, as a link to its
   * keystore where the path is relative.
   */
  private static final class EngineKeys {
    private static final String PREFIX = "server.rmi.ssl.keystore.";
    private static final String FILE = PREFIX + "file";
    private static final String ENGINE = "JMeterEngine";
    private static final int PORT = 1099;
    private static final Pattern LOCATION = Pattern.compile("keyStoreLocation=([^,)]*)");

    private final Path keystore;
    private final SSLRMIClientSocketFactory sockets = new SSLRMIClientSocketFactory();

    EngineKeys() {
      keystore = Path.of(JMeterUtils.getPropDefault(FILE, "rmi_keystore.jks")).toAbsolutePath();
      String type = JMeterUtils.getPropDefault(PREFIX + "type", "JKS");
      String password = JMeterUtils.getPropDefault(PREFIX + "password", "changeit");
      sockets.setAlias(JMeterUtils.getPropDefault(PREFIX + "alias", "rmi"));
      sockets.setKeystore(keystore.toString(), type, password);
      sockets.setTruststore(keystore.toString(), type, password);
    }

    /**
     * Prepares JMeter's remote calls; must be called before any other of its classes makes one.
     *
     * @throws LoadedPlan.Fault if a server does not answer, or its keystore has no place here
     */
    void agreeWith(Iterable<String> servers) throws LoadedPlan.Fault {
      Set<String> places = new TreeSet<>();
      for (String server : servers) {
        places.add(place(server));
      }
      if (places.size() > 1) {
        throw new LoadedPlan.Fault(
            "JMeter's servers have their keystores in different places, and JMeter needs one: "
                + String.join(", ", places),
            null);
      }
      String place = places.iterator().next();
      Path here = Path.of(place);
      if (here.isAbsolute() && !Files.isReadable(here)) {
        throw new LoadedPlan.Fault(
            "JMeter's servers have their keystore in %s, and JMeter needs it at the same place here"
                .formatted(place),
            null);
      }
      if (!here.isAbsolute()) {
        link(here.toAbsolutePath());
      }
      JMeterUtils.setProperty(FILE, place);
    }

    private void link(Path here) throws LoadedPlan.Fault {
      try {
        Files.createDirectories(here.getParent());
        Files.deleteIfExists(here);
        Files.createSymbolicLink(here, keystore);
      } catch (IOException fault) {
        throw new LoadedPlan.Fault("no link to the keystore could be created: " + fault, fault);
      }
    }

    private String place(String server) throws LoadedPlan.Fault {
      String[] parts = server.split(":", 2);
      int port = parts.length < 2 ? PORT : Integer.parseInt(parts[1]);
      try {
        callBackFrom(parts[0], port);
        Remote engine = LocateRegistry.getRegistry(parts[0], port, sockets).lookup(ENGINE);
        Matcher location = LOCATION.matcher(engine.toString());
        if (!location.find()) {
          throw new LoadedPlan.Fault(
              "JMeter server %s works without TLS, so anyone who reaches it can run programs there;"
                      .formatted(server)
                  + " start it without server.rmi.ssl.disable",
              null);
        }
        return location.group(1);
      } catch (IOException | NotBoundException fault) {
        throw new LoadedPlan.Fault(
            "JMeter server %s cannot be reached over TLS with the keystore %s: %s"
                .formatted(server, keystore, fault.getMessage()),
            fault);
      }
    }

    /** Servers call back to the address of this machine from which they are reached. */
    private static void callBackFrom(String host, int port) throws IOException {
      if (System.getProperty("java.rmi.server.hostname") == null) {
        try (DatagramSocket socket = new DatagramSocket()) {
          socket.connect(InetAddress.getByName(host), port);
          System.setProperty("java.rmi.server.hostname", socket.getLocalAddress().getHostAddress());
        }
      }
    }
  }

  /**
   * A file for each JMeter server on which users of this machine may run. It outlives this process,
   * so that the next one stops them; a server that is busy without one works for somebody else. It
   * contains the end of the longest load and this process's number.
   */
  private record EngineMark(Path directory) {
    void set(String server, Instant end) throws IOException {
      Files.createDirectories(directory);
      Files.writeString(file(server), end + " " + ProcessHandle.current().pid());
    }

    void clear(String server) {
      try {
        Files.deleteIfExists(file(server));
      } catch (IOException kept) {
        // It ends with the longest load.
      }
    }

    /** Whether a process of this machine left users there that may still run. */
    boolean isLeft(String server) {
      try {
        if (!Files.isReadable(file(server))) {
          return false;
        }
        String[] words = Files.readString(file(server)).strip().split(" ", 2);
        long process = Long.parseLong(words[1]);
        return Instant.now().isBefore(Instant.parse(words[0]))
            && (process == ProcessHandle.current().pid()
                || ProcessHandle.of(process).filter(ProcessHandle::isAlive).isEmpty());
      } catch (IOException | RuntimeException damaged) {
        return false;
      }
    }

    private Path file(String server) {
      return directory.resolve(URLEncoder.encode(server, StandardCharsets.UTF_8));
    }
  }
}
