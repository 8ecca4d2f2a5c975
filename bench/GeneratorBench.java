import io.slicewise.load.generator.LoadGenerator;
import io.slicewise.load.generator.LoadRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/**
 * Helper of generator.sh: requests per CPU-second of several load generators, like with like. Each
 * has the same server, page, users, warm-up and window; what counts is the pages that the server
 * has served in the window, over the CPU time that the generator's processes have used in it.
 *
 * <p>{@code page} serves a page of 5 KB and prints how many it has served for each line it hears.
 * {@code compare PLAN WORK USERS WARMUP SECONDS ROUNDS NAME[=WORD,WORD…]…} lets the generators take
 * turns; the first, without words, is Slicewise's own, and {@code {port}}, {@code {users}}, {@code
 * {seconds}} and {@code {out}} are put into the words of the others.
 */
final class GeneratorBench {
  private static final int PAGE_BYTES = 5_000;
  private static final Duration SLACK = Duration.ofMinutes(2);
  private static final Duration READY = Duration.ofSeconds(90);

  private GeneratorBench() {}

  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("page")) {
      servePage();
    } else {
      new Comparison(arguments).run();
    }
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

  /** All generators on one server, in turns. */
  private static final class Comparison {
    private final Path plan;
    private final Path work;
    private final int users;
    private final Duration warmUp;
    private final Duration window;
    private final int rounds;
    private final List<String> contenders;
    private final Map<String, List<Rates>> rates = new TreeMap<>();
    private BufferedReader counts;
    private Process server;
    private String port;

    /** Requests per CPU-second in the warmed window, and from the process's start to its end. */
    private record Rates(double warm, double whole) {}

    Comparison(String[] arguments) {
      plan = Path.of(arguments[1]);
      work = Path.of(arguments[2]);
      users = Integer.parseInt(arguments[3]);
      warmUp = Duration.ofSeconds(Long.parseLong(arguments[4]));
      window = Duration.ofSeconds(Long.parseLong(arguments[5]));
      rounds = Integer.parseInt(arguments[6]);
      contenders = List.of(arguments).subList(7, arguments.length);
    }

    void run() throws Exception {
      startServer();
      try {
        for (int round = 1; round <= rounds; round++) {
          for (String contender : contenders) {
            turn(round, contender);
          }
        }
      } finally {
        server.destroy();
      }
      print();
    }

    private void startServer() throws IOException {
      server =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx256m",
                  "-cp",
                  System.getProperty("java.class.path"),
                  GeneratorBench.class.getName(),
                  "page")
              .redirectError(work.resolve("server.log").toFile())
              .start();
      counts = server.inputReader(StandardCharsets.UTF_8);
      port = counts.readLine();
    }

    private void turn(int round, String contender) throws Exception {
      String[] named = contender.split("=", 2);
      Path directory = Files.createDirectory(work.resolve(named[0] + "-" + users + "-" + round));
      Rates rate =
          named.length == 1 ? slicewise(directory) : command(named[1].split(","), directory);
      rates.computeIfAbsent(named[0], name -> new ArrayList<>()).add(rate);
      System.out.printf(
          Locale.ROOT,
          "%d users, round %d, %s: %.0f, with its start %.0f%n",
          users,
          round,
          named[0],
          rate.warm(),
          rate.whole());
      FileUtils.deleteDirectory(directory.toFile());
    }

    private Rates slicewise(Path directory) throws Exception {
      LoadRequest request =
          new LoadRequest(
              plan,
              users,
              Duration.ZERO,
              warmUp.plus(window).plus(SLACK),
              Map.of("host", "127.0.0.1", "port", port),
              directory);
      try (LoadGenerator.PreparedLoad prepared = LoadGenerator.forked().prepare(request)) {
        ProcessHandle generator =
            ProcessHandle.current()
                .children()
                .filter(child -> child.pid() != server.pid())
                .findFirst()
                .orElseThrow();
        prepared.begin();
        return measured(generator);
      }
    }

    private Rates command(String[] words, Path directory) throws Exception {
      List<String> line = new ArrayList<>();
      for (String word : words) {
        line.add(
            word.replace("{port}", port)
                .replace("{users}", Integer.toString(users))
                .replace("{seconds}", Long.toString(warmUp.plus(window).plus(SLACK).toSeconds()))
                .replace("{out}", directory.toString()));
      }
      Process generator =
          new ProcessBuilder(line)
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("log").toFile())
              .start();
      try {
        return measured(generator.toHandle());
      } finally {
        generator.descendants().forEach(ProcessHandle::destroyForcibly);
        generator.destroyForcibly().waitFor();
      }
    }

    /** Warm-up begins with the first page, however long the generator takes to start. */
    private Rates measured(ProcessHandle generator) throws Exception {
      long before = served();
      long limit = System.nanoTime() + READY.toNanos();
      while (served() < before + users) {
        if (!generator.isAlive() || System.nanoTime() > limit) {
          throw new IOException("a generator loads nothing; its log is in " + work);
        }
        TimeUnit.MILLISECONDS.sleep(50);
      }
      TimeUnit.MILLISECONDS.sleep(warmUp.toMillis());
      long cpu = cpuNanos(generator);
      long first = served();
      TimeUnit.MILLISECONDS.sleep(window.toMillis());
      long last = served();
      long used = cpuNanos(generator);
      return new Rates((last - first) / ((used - cpu) / 1e9), (last - before) / (used / 1e9));
    }

    private static long cpuNanos(ProcessHandle generator) {
      return Stream.concat(Stream.of(generator), generator.descendants())
          .mapToLong(each -> each.info().totalCpuDuration().orElse(Duration.ZERO).toNanos())
          .sum();
    }

    private long served() throws IOException {
      var asking = server.outputWriter(StandardCharsets.UTF_8);
      asking.write("\n");
      asking.flush();
      return Long.parseLong(counts.readLine());
    }

    private void print() {
      String own = contenders.get(0);
      for (String contender : contenders) {
        String name = contender.split("=", 2)[0];
        System.out.printf(
            Locale.ROOT,
            "%d users: %-12s %6.0f requests per CPU-second, slicewise is %.2f x; "
                + "with its start %6.0f, %.2f x%n",
            users,
            name,
            median(name, Rates::warm),
            median(own, Rates::warm) / median(name, Rates::warm),
            median(name, Rates::whole),
            median(own, Rates::whole) / median(name, Rates::whole));
      }
    }

    private double median(String name, ToDoubleFunction<Rates> which) {
      return median(rates.get(name).stream().mapToDouble(which).boxed().toList());
    }

    private static double median(List<Double> values) {
      List<Double> sorted = values.stream().sorted(Comparator.naturalOrder()).toList();
      int half = sorted.size() / 2;
      return sorted.size() % 2 == 1
          ? sorted.get(half)
          : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }
  }
}
