import io.slicewise.base.yaml.Option;
import io.slicewise.load.generator.LoadGenerator;
import io.slicewise.load.generator.LoadRequest;
import io.slicewise.workload.Workload;
import io.slicewise.workload.Workloads;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Helper of tpcb.sh: the workload {@code tpcb} beside pgbench on one server. Both are started, and
 * warmed up together; then each is held by a signal while the other has its turn, so that whoever
 * else is at work on the machine is so for both. What counts is the rows that a turn has added to
 * its history, and the CPU time that the generator has used in it.
 *
 * <p>Arguments: PGBENCH WORK CLIENTS WARMUP TURN TURNS SCALE, times in seconds
 */
final class TpcbBench {
  private final String pgbench;
  private final Path work;
  private final int clients;
  private final long warmUp;
  private final long turn;
  private final int turns;
  private final int scale;

  private record Result(double perSecond, double perCpuSecond) {}

  private TpcbBench(String[] arguments) {
    pgbench = arguments[0];
    work = Path.of(arguments[1]);
    clients = Integer.parseInt(arguments[2]);
    warmUp = Long.parseLong(arguments[3]);
    turn = Long.parseLong(arguments[4]);
    turns = Integer.parseInt(arguments[5]);
    scale = Integer.parseInt(arguments[6]);
  }

  public static void main(String[] arguments) throws Exception {
    new TpcbBench(arguments).run();
    System.exit(0);
  }

  private void run() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.builder().start()) {
      Workload workload = workload(postgres);
      workload.setUp();
      pgbench(postgres, "--initialize", "--quiet", "--scale=" + scale).waitFor();
      Process pgbench = startPgbench(postgres);
      try (LoadGenerator.PreparedLoad prepared =
          LoadGenerator.forked().prepare(request(workload))) {
        ProcessHandle generator = child(pgbench);
        prepared.begin();
        TimeUnit.SECONDS.sleep(warmUp);
        takeTurns(postgres, pgbench.toHandle(), generator);
      } finally {
        pgbench.destroyForcibly().waitFor();
      }
      workload.tearDown();
    }
  }

  private static ProcessHandle child(Process other) {
    return ProcessHandle.current()
        .children()
        .filter(child -> child.info().command().orElse("").endsWith("java"))
        .filter(child -> child.pid() != other.pid())
        .findFirst()
        .orElseThrow();
  }

  private void takeTurns(EmbeddedPostgres postgres, ProcessHandle pgbench, ProcessHandle generator)
      throws Exception {
    List<Result> theirs = new ArrayList<>();
    List<Result> ours = new ArrayList<>();
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      for (int number = 1; number <= turns; number++) {
        signal("STOP", generator);
        theirs.add(turn(statement, pgbench, "pgbench_history"));
        signal("STOP", pgbench);
        signal("CONT", generator);
        ours.add(turn(statement, generator, "slicewise_tpcb.history"));
        signal("CONT", pgbench);
      }
      signal("CONT", generator);
    }
    double[] ratios = new double[turns];
    for (int number = 0; number < turns; number++) {
      ratios[number] = ours.get(number).perSecond() / theirs.get(number).perSecond();
    }
    Arrays.sort(ratios);
    print(median(theirs), median(ours), median(ratios));
  }

  private static void signal(String name, ProcessHandle process) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  private Result turn(Statement statement, ProcessHandle generator, String history)
      throws Exception {
    long moved = moved(statement, history);
    double cpu = cpuSeconds(generator);
    long start = System.nanoTime();
    TimeUnit.SECONDS.sleep(turn);
    double transactions = moved(statement, history) - moved;
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Result(transactions / seconds, transactions / (cpuSeconds(generator) - cpu));
  }

  private Workload workload(EmbeddedPostgres postgres) {
    Map<String, Object> options =
        new HashMap<>(
            Option.defaults(
                Workloads.types().stream()
                    .filter(type -> type.name().equals("tpcb"))
                    .findFirst()
                    .orElseThrow()
                    .options()));
    options.put("database", "jdbc:postgresql://localhost:" + postgres.getPort() + "/postgres");
    options.put("database-user", "postgres");
    options.put("scale", (long) scale);
    return Workloads.of("tpcb", Optional.empty(), Optional.empty(), Map.of(), options);
  }

  private Process startPgbench(EmbeddedPostgres postgres) throws IOException {
    return pgbench(
        postgres, "--no-vacuum", "--client=" + clients, "--jobs=1", "--time=" + seconds());
  }

  private long seconds() {
    return warmUp + 2 * turn * turns + 120;
  }

  private Process pgbench(EmbeddedPostgres postgres, String... words) throws IOException {
    List<String> line = new ArrayList<>(List.of(pgbench));
    line.addAll(List.of("--host=localhost", "--port=" + postgres.getPort(), "--username=postgres"));
    line.addAll(List.of(words));
    line.add("postgres");
    return new ProcessBuilder(line)
        .redirectErrorStream(true)
        .redirectOutput(work.resolve("pgbench.log").toFile())
        .start();
  }

  private LoadRequest request(Workload workload) throws IOException {
    return new LoadRequest(
        workload.plan().orElseThrow(),
        clients,
        clients,
        Duration.ZERO,
        Duration.ofSeconds(seconds()),
        workload.properties(),
        workload.secrets(),
        Files.createDirectory(work.resolve("slicewise")));
  }

  private static long moved(Statement statement, String history) throws SQLException {
    try (ResultSet row = statement.executeQuery("SELECT count(*) FROM " + history)) {
      row.next();
      return row.getLong(1);
    }
  }

  private static double cpuSeconds(ProcessHandle generator) {
    return Stream.concat(Stream.of(generator), generator.descendants())
        .mapToDouble(each -> each.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9)
        .sum();
  }

  private static Result median(List<Result> results) {
    return new Result(
        median(results.stream().mapToDouble(Result::perSecond).sorted().toArray()),
        median(results.stream().mapToDouble(Result::perCpuSecond).sorted().toArray()));
  }

  private static double median(double[] sorted) {
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  private void print(Result theirs, Result ours, double ratio) {
    System.out.printf(
        Locale.ROOT,
        "%d clients, medians of %d turns of %d s: pgbench %.0f/s (%.0f per CPU-second), slicewise"
            + " %.0f/s (%.0f per CPU-second), median ratio of neighbouring turns %.1f %%%n",
        clients,
        turns,
        turn,
        theirs.perSecond(),
        theirs.perCpuSecond(),
        ours.perSecond(),
        ours.perCpuSecond(),
        100 * ratio);
  }
}
