import io.slicewise.load.generator.LoadGenerator;
import io.slicewise.load.generator.LoadRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;

/**
 * Helper of generator.sh: requests per CPU-second of several load generators, like with like. Each
 * has the same nginx, page, users, warm-up and window; what counts is the pages that the server has
 * served in the window, over the CPU time that the generator's processes have used in it.
 *
 * <p>{@code PLAN WORK USERS WARMUP SECONDS ROUNDS NAME[=WORD,WORD…]…} lets the generators take
 * turns. A name with words is a command, in which {@code {port}}, {@code {users}}, {@code
 * {seconds}} and {@code {out}} are replaced; one without is Slicewise's own generator, with the
 * properties after its name ({@code slicewise:KEY=VALUE:KEY=VALUE}). The others are compared with
 * the first.
 */
final class GeneratorBench {
  private static final Duration SLACK = Duration.ofMinutes(2);
  private static final Duration READY = Duration.ofSeconds(90);

  private final Path plan;
  private final Path work;
  private final int users;
  private final Duration warmUp;
  private final Duration window;
  private final int rounds;
  private final List<String> contenders;
  private final Map<String, List<Rates>> rates = new TreeMap<>();

  /** Requests per CPU-second in the warmed window, and from the process's start to its end. */
  private record Rates(double warm, double whole, double perSecond) {}

  private GeneratorBench(String[] arguments) {
    plan = Path.of(arguments[0]);
    work = Path.of(arguments[1]);
    users = Integer.parseInt(arguments[2]);
    warmUp = Duration.ofSeconds(Long.parseLong(arguments[3]));
    window = Duration.ofSeconds(Long.parseLong(arguments[4]));
    rounds = Integer.parseInt(arguments[5]);
    contenders = List.of(arguments).subList(6, arguments.length);
  }

  public static void main(String[] arguments) throws Exception {
    GeneratorBench bench = new GeneratorBench(arguments);
    try (Nginx server = new Nginx(Files.createDirectory(bench.work.resolve("n" + bench.users)))) {
      for (int round = 1; round <= bench.rounds; round++) {
        for (String contender : bench.contenders) {
          bench.turn(server, round, contender);
        }
      }
    }
    bench.print();
    System.exit(0);
  }

  /** One worker that answers every request with a page of 5 KB, which has all users' names. */
  private static final class Nginx implements AutoCloseable {
    private static final int HALF_BYTES = 2_500;
    private final HttpClient client = HttpClient.newHttpClient();
    private final Process process;
    private final int port;
    private long asked;

    Nginx(Path directory) throws Exception {
      port = freePort();
      String names =
          IntStream.rangeClosed(1, 5)
              .mapToObj(number -> "Signed in as user" + number + ". ")
              .collect(Collectors.joining());
      String top = "<html><body><p>" + names;
      String end = "</p></body></html>";
      Path settings =
          Files.writeString(
              directory.resolve("nginx.conf"),
              """
              daemon off;
              worker_processes 1;
              worker_rlimit_nofile 8192;
              pid %1$s/nginx.pid;
              error_log %1$s/error.log;
              events { worker_connections 4096; }
              http {
                access_log off;
                keepalive_requests 1000000000;
                keepalive_timeout 1h;
                client_body_temp_path %1$s/body;
                default_type text/html;
                charset utf-8;
                server {
                  listen 127.0.0.1:%2$d backlog=4096;
                  set $top "%3$s%4$s";
                  set $end "%5$s%6$s";
                  location / { return 200 $top$end; }
                  location = /served { stub_status; }
                }
              }
              """
                  .formatted(
                      directory,
                      port,
                      top,
                      "x".repeat(HALF_BYTES - top.length()),
                      "x".repeat(HALF_BYTES - end.length()),
                      end));
      process =
          new ProcessBuilder("nginx", "-p", directory.toString(), "-c", settings.toString())
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("out.log").toFile())
              .start();
      long limit = System.nanoTime() + READY.toNanos();
      while (!listens()) {
        if (!process.isAlive() || System.nanoTime() > limit) {
          throw new IOException("nginx does not start; its logs are in " + directory);
        }
        TimeUnit.MILLISECONDS.sleep(20);
      }
    }

    private static int freePort() throws IOException {
      try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        return free.getLocalPort();
      }
    }

    private boolean listens() throws InterruptedException {
      try {
        return served() >= 0;
      } catch (IOException notYet) {
        return false;
      }
    }

    /** Returns how many pages were served: the third number of the third line. */
    long served() throws IOException, InterruptedException {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/served")).build();
      String status = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
      asked++;
      return Long.parseLong(status.lines().toList().get(2).strip().split(" ")[2]) - asked;
    }

    @Override
    public void close() {
      process.destroy();
    }
  }

  private void turn(Nginx server, int round, String contender) throws Exception {
    String name = name(contender);
    Path directory =
        Files.createDirectory(work.resolve(name.replace('/', '_') + "-" + users + "-" + round));
    Rates rate =
        contender.startsWith("slicewise")
            ? slicewise(server, directory, contender.split(":"))
            : command(server, contender.substring(name.length() + 1).split(","), directory);
    rates.computeIfAbsent(name, absent -> new ArrayList<>()).add(rate);
    System.out.printf(
        Locale.ROOT,
        "%d users, round %d, %s: %.0f, with its start %.0f, %.0f a second%n",
        users,
        round,
        name,
        rate.warm(),
        rate.whole(),
        rate.perSecond());
    FileUtils.deleteDirectory(directory.toFile());
  }

  private static String name(String contender) {
    return contender.startsWith("slicewise") ? contender : contender.split("=", 2)[0];
  }

  private Rates slicewise(Nginx server, Path directory, String[] own) throws Exception {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("host", "127.0.0.1");
    properties.put("port", Integer.toString(server.port));
    for (String property : List.of(own).subList(1, own.length)) {
      properties.put(property.split("=")[0], property.split("=")[1]);
    }
    LoadRequest request =
        new LoadRequest(
            plan, users, Duration.ZERO, warmUp.plus(window).plus(SLACK), properties, directory);
    try (LoadGenerator.PreparedLoad prepared = LoadGenerator.forked().prepare(request)) {
      ProcessHandle generator =
          ProcessHandle.current()
              .children()
              .filter(child -> child.pid() != server.process.pid())
              .findFirst()
              .orElseThrow();
      prepared.begin();
      return measured(server, generator);
    }
  }

  private Rates command(Nginx server, String[] words, Path directory) throws Exception {
    List<String> line = new ArrayList<>();
    for (String word : words) {
      line.add(
          word.replace("{port}", Integer.toString(server.port))
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
      return measured(server, generator.toHandle());
    } finally {
      generator.descendants().forEach(ProcessHandle::destroyForcibly);
      generator.destroyForcibly().waitFor();
    }
  }

  /** Warm-up begins with the first page, however long the generator takes to start. */
  private Rates measured(Nginx server, ProcessHandle generator) throws Exception {
    long before = server.served();
    long limit = System.nanoTime() + READY.toNanos();
    while (server.served() < before + users) {
      if (!generator.isAlive() || System.nanoTime() > limit) {
        throw new IOException("a generator loads nothing; its log is in " + work);
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    TimeUnit.MILLISECONDS.sleep(warmUp.toMillis());
    long cpu = cpuNanos(generator);
    long first = server.served();
    TimeUnit.MILLISECONDS.sleep(window.toMillis());
    long last = server.served();
    long used = cpuNanos(generator);
    return new Rates(
        (last - first) / ((used - cpu) / 1e9),
        (last - before) / (used / 1e9),
        (last - first) / (window.toMillis() / 1e3));
  }

  private static long cpuNanos(ProcessHandle generator) {
    return Stream.concat(Stream.of(generator), generator.descendants())
        .mapToLong(each -> each.info().totalCpuDuration().orElse(Duration.ZERO).toNanos())
        .sum();
  }

  /** Prints medians over rounds; a round's turns are compared with each other. */
  private void print() {
    List<Rates> own = rates.get(name(contenders.get(0)));
    for (String contender : contenders) {
      List<Rates> its = rates.get(name(contender));
      System.out.printf(
          Locale.ROOT,
          "%d users: %-12s %6.0f requests per CPU-second, %s is %.2f x; "
              + "with its start %6.0f, %.2f x%n",
          users,
          name(contender),
          median(its.stream().mapToDouble(Rates::warm)),
          name(contenders.get(0)),
          medianRatio(own, its, Rates::warm),
          median(its.stream().mapToDouble(Rates::whole)),
          medianRatio(own, its, Rates::whole));
    }
  }

  private static double medianRatio(
      List<Rates> own, List<Rates> its, ToDoubleFunction<Rates> which) {
    return median(
        IntStream.range(0, own.size())
            .mapToDouble(
                round ->
                    which.applyAsDouble(own.get(round)) / which.applyAsDouble(its.get(round))));
  }

  private static double median(DoubleStream numbers) {
    double[] sorted = numbers.sorted().toArray();
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }
}
