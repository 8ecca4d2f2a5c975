import io.slicewise.base.units.Secret;
import io.slicewise.lab.daemon.LabMachine;
import io.slicewise.load.generator.LoadGenerator;
import io.slicewise.load.generator.LoadRequest;
import io.slicewise.load.generator.RunningLoad;
import io.slicewise.load.spread.GeneratorMachine;
import io.slicewise.load.spread.JMeterServers;
import io.slicewise.load.spread.SplitPlan.SplitRules;
import io.slicewise.load.spread.SpreadGenerator;
import io.slicewise.ssh.Connection;
import io.slicewise.ssh.SshLogin;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/**
 * Helper of generators.sh: two generators over SSH beside two of JMeter's own servers, in turns, on
 * one page: CPU time a sample of the generators and of the machine that they report to, ports on
 * which they listen, and the time until the end of one is known.
 *
 * <p>{@code page} serves a page of 5 KB and prints how many it has served for each line it hears.
 * Otherwise the arguments are PLAN WORK JMETER PASSWORD-FILE USERS WARMUP SECONDS ROUNDS, with the
 * installation of JMeter and the password of its keystore.
 */
final class GeneratorsBench {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final String LISTENS = "0A";
  private static final int PAGE_BYTES = 5_000;

  private final Path plan;
  private final Path work;
  private final Path jmeter;
  private final Secret password;
  private final int users;
  private final Duration warmUp;
  private final Duration window;
  private Process page;
  private BufferedReader counts;
  private int port;

  /** What was measured in a turn; CPU in microseconds a sample, death in milliseconds. */
  private record Turn(double perSecond, double client, double engines, int ports, double death) {}

  private GeneratorsBench(String[] arguments) {
    plan = Path.of(arguments[0]);
    work = Path.of(arguments[1]);
    jmeter = Path.of(arguments[2]);
    password = Secret.inFile(Path.of(arguments[3]));
    users = Integer.parseInt(arguments[4]);
    warmUp = Duration.ofSeconds(Long.parseLong(arguments[5]));
    window = Duration.ofSeconds(Long.parseLong(arguments[6]));
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("page")) {
      servePage();
      System.exit(0);
    }
    GeneratorsBench bench = new GeneratorsBench(arguments);
    bench.startPage();
    List<Turn> ours = new ArrayList<>();
    List<Turn> theirs = new ArrayList<>();
    try {
      for (int round = 1; round <= Integer.parseInt(arguments[7]); round++) {
        ours.add(bench.overSsh());
        print("over SSH, round " + round, ours.subList(round - 1, round));
        theirs.add(bench.jmeterServers());
        print("JMeter's servers, round " + round, theirs.subList(round - 1, round));
      }
    } finally {
      bench.page.destroy();
    }
    print("over SSH, median", ours);
    print("JMeter's servers, median", theirs);
    System.exit(0);
  }

  private static void servePage() throws Exception {
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server, 1, 1);
    connector.setHost("127.0.0.1");
    connector.setAcceptQueueSize(2_000);
    server.addConnector(connector);
    Page page = new Page();
    server.setHandler(page);
    server.start();
    System.out.println(connector.getLocalPort());
    BufferedReader asked =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (asked.readLine() != null) {
      System.out.println(page.served.sum());
    }
  }

  /** Answers the form with the page of the user who signs in. */
  private static final class Page extends Handler.Abstract {
    private final LongAdder served = new LongAdder();

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      String form = Content.Source.asString(request, StandardCharsets.UTF_8);
      String user = form.replaceFirst(".*\\buser=([^&]*).*", "$1");
      String start = "<html><body><p>Signed in as " + user + ".</p><p>";
      String end = "</p></body></html>\n";
      String page = start + "x".repeat(PAGE_BYTES - start.length() - end.length()) + end;
      response.getHeaders().put("Content-Type", "text/html;charset=utf-8");
      served.increment();
      Content.Sink.write(response, true, page, callback);
      return true;
    }
  }

  private void startPage() throws IOException {
    page =
        new ProcessBuilder(
                java(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                GeneratorsBench.class.getName(),
                "page")
            .redirectError(work.resolve("page.log").toFile())
            .start();
    counts = page.inputReader(StandardCharsets.UTF_8);
    port = Integer.parseInt(counts.readLine());
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private Turn overSsh() throws Exception {
    try (LabMachine first = LabMachine.start(work.resolve("gen1"));
        LabMachine second = LabMachine.start(work.resolve("gen2"));
        LoadGenerator generator =
            new SpreadGenerator(
                List.of(named("gen1", first), named("gen2", second)),
                new SplitRules(false, true))) {
      return turn(generator, () -> List.of(only(first.running()), only(second.running())));
    }
  }

  private static ProcessHandle only(List<ProcessHandle> running) {
    return running.stream()
        .filter(process -> process.info().commandLine().orElse("").contains("java"))
        .findFirst()
        .orElseThrow();
  }

  private static GeneratorMachine named(String name, LabMachine machine) {
    Connection connection =
        Connection.to(
            "127.0.0.1",
            SshLogin.of(
                LabMachine.USER, machine.port(), machine.privateKey(), machine.knownHosts()));
    return new GeneratorMachine(name, Optional.of(connection), 1, "java");
  }

  private Turn jmeterServers() throws Exception {
    int one = freePort();
    int other = freePort();
    Process first = server(one);
    Process second = server(other);
    try {
      awaitPort(one);
      awaitPort(other);
      LoadGenerator generator =
          new JMeterServers(
              List.of("127.0.0.1:" + one, "127.0.0.1:" + other),
              jmeter.resolve("bin/rmi_keystore.jks"),
              password,
              "rmi",
              new SplitRules(false, true));
      return turn(generator, () -> List.of(first.toHandle(), second.toHandle()));
    } finally {
      first.destroyForcibly().waitFor();
      second.destroyForcibly().waitFor();
    }
  }

  private Process server(int its) throws IOException {
    return new ProcessBuilder(
            java(),
            "-Xms1g",
            "-Xmx1g",
            "-XX:+UseG1GC",
            "-Djava.rmi.server.hostname=127.0.0.1",
            "-jar",
            "ApacheJMeter.jar",
            "-s",
            "-j",
            "server.log",
            "-Jserver_port=" + its)
        .directory(jmeter.resolve("bin").toFile())
        .redirectErrorStream(true)
        .redirectOutput(work.resolve("server.out").toFile())
        .start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private static void awaitPort(int its) throws Exception {
    long limit = System.nanoTime() + LIMIT.toNanos();
    while (System.nanoTime() < limit) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), its)) {
        if (socket.isConnected()) {
          return;
        }
      } catch (IOException notYet) {
        TimeUnit.MILLISECONDS.sleep(200);
      }
    }
    throw new IOException("a server of JMeter does not listen");
  }

  private interface Engines {
    List<ProcessHandle> running();
  }

  private Turn turn(LoadGenerator generator, Engines engines) throws Exception {
    LoadRequest request =
        new LoadRequest(
            plan,
            users,
            Duration.ZERO,
            warmUp.plus(window).plus(LIMIT.multipliedBy(2)),
            Map.of("host", "127.0.0.1", "port", Integer.toString(port), "think-time", "10"),
            Files.createTempDirectory(work, "trial"));
    try (LoadGenerator.PreparedLoad prepared = generator.prepare(request);
        RunningLoad load = prepared.begin()) {
      await(() -> load.progress().samples() > users);
      TimeUnit.MILLISECONDS.sleep(warmUp.toMillis());
      load.beginWindow();
      List<ProcessHandle> running = engines.running();
      List<ProcessHandle> client = client(running);
      double clientBefore = cpuMicros(client);
      double enginesBefore = cpuMicros(running);
      long first = served();
      TimeUnit.MILLISECONDS.sleep(window.toMillis());
      double samples = served() - first;
      double clientUsed = cpuMicros(client) - clientBefore;
      double enginesUsed = cpuMicros(running) - enginesBefore;
      int ports = 0;
      for (ProcessHandle engine : running) {
        ports += listening(engine);
      }
      long killed = System.nanoTime();
      running.get(1).destroyForcibly();
      await(() -> !load.isAlive());
      return new Turn(
          samples / (window.toMillis() / 1e3),
          clientUsed / samples,
          enginesUsed / samples,
          ports,
          (System.nanoTime() - killed) / 1e6);
    }
  }

  /** This process and its children, without the page and the generators. */
  private List<ProcessHandle> client(List<ProcessHandle> engines) {
    return Stream.concat(Stream.of(ProcessHandle.current()), ProcessHandle.current().descendants())
        .filter(process -> process.pid() != page.pid() && !engines.contains(process))
        .toList();
  }

  private static double cpuMicros(List<ProcessHandle> processes) {
    return processes.stream()
        .mapToDouble(
            process -> process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e3)
        .sum();
  }

  /** Returns on how many TCP ports a process listens. */
  private static int listening(ProcessHandle process) throws IOException {
    Set<String> sockets = new HashSet<>();
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      for (String line : Files.readAllLines(Path.of(table))) {
        String[] fields = line.strip().split("\\s+");
        if (fields.length > 9 && fields[3].equals(LISTENS)) {
          sockets.add("socket:[" + fields[9] + "]");
        }
      }
    }
    int number = 0;
    try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
      for (Path file : files.toList()) {
        if (Files.isSymbolicLink(file)
            && sockets.contains(Files.readSymbolicLink(file).toString())) {
          number++;
        }
      }
    }
    return number;
  }

  private interface Condition {
    boolean holds();
  }

  private static void await(Condition condition) throws Exception {
    long limit = System.nanoTime() + LIMIT.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() > limit) {
        throw new IOException("it took longer than " + LIMIT.toSeconds() + " s");
      }
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private long served() throws IOException {
    var asking = page.outputWriter(StandardCharsets.UTF_8);
    asking.write("\n");
    asking.flush();
    return Long.parseLong(counts.readLine());
  }

  private static void print(String name, List<Turn> turns) {
    System.out.printf(
        Locale.ROOT,
        "%-26s %6.0f samples/s, CPU a sample %4.0f us here and %4.0f us there, %.0f ports there,"
            + " a death known after %6.0f ms%n",
        name,
        median(turns, Turn::perSecond),
        median(turns, Turn::client),
        median(turns, Turn::engines),
        median(turns, Turn::ports),
        median(turns, Turn::death));
  }

  private static double median(List<Turn> turns, ToDoubleFunction<Turn> which) {
    double[] sorted = turns.stream().mapToDouble(which).sorted().toArray();
    int half = sorted.length / 2;
    return sorted.length % 2 == 1
        ? sorted[half]
        : Arrays.stream(sorted, half - 1, half + 1).average().orElseThrow();
  }
}
