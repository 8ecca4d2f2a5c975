import io.slicewise.load.LoadGenerator;
import io.slicewise.load.LoadRequest;
import io.slicewise.workload.Option;
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
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Helper of tpcb.sh: the workload {@code tpcb} beside pgbench, in turns on one server that lives as
 * long as this does. What counts is the transactions that the server has committed in the window,
 * by its own counters, and the CPU time that the generator has used in it.
 *
 * <p>Arguments: PGBENCH WORK CLIENTS WARMUP SECONDS ROUNDS SCALE
 */
final class TpcbBench {
  private final String pgbench;
  private final Path work;
  private final int clients;
  private final long warmUp;
  private final long window;
  private final int rounds;
  private final int scale;

  private record Result(double perSecond, double perCpuSecond) {}

  private TpcbBench(String[] arguments) {
    pgbench = arguments[0];
    work = Path.of(arguments[1]);
    clients = Integer.parseInt(arguments[2]);
    warmUp = Long.parseLong(arguments[3]);
    window = Long.parseLong(arguments[4]);
    rounds = Integer.parseInt(arguments[5]);
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
      List<Result> theirs = new ArrayList<>();
      List<Result> ours = new ArrayList<>();
      for (int round = 1; round <= rounds; round++) {
        theirs.add(pgbench(postgres));
        ours.add(slicewise(postgres, workload, round));
        print("round " + round, theirs.get(round - 1), ours.get(round - 1));
      }
      workload.tearDown();
      print("medians", median(theirs), median(ours));
    }
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

  private Result pgbench(EmbeddedPostgres postgres) throws Exception {
    Process running =
        pgbench(
            postgres,
            "--no-vacuum",
            "--client=" + clients,
            "--jobs=1",
            "--time=" + (warmUp + window + 10));
    try {
      return measured(postgres, running.toHandle());
    } finally {
      running.destroyForcibly().waitFor();
    }
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

  private Result slicewise(EmbeddedPostgres postgres, Workload workload, int round)
      throws Exception {
    LoadRequest request =
        new LoadRequest(
            workload.plan().orElseThrow(),
            clients,
            clients,
            Duration.ZERO,
            Duration.ofSeconds(warmUp + window + 120),
            workload.properties(),
            workload.secrets(),
            Files.createDirectory(work.resolve("slicewise-" + round)));
    List<ProcessHandle> before = ProcessHandle.current().children().toList();
    try (LoadGenerator.PreparedLoad prepared = LoadGenerator.forked().prepare(request)) {
      ProcessHandle generator =
          ProcessHandle.current()
              .children()
              .filter(child -> !before.contains(child))
              .findFirst()
              .orElseThrow();
      prepared.begin();
      return measured(postgres, generator);
    }
  }

  private Result measured(EmbeddedPostgres postgres, ProcessHandle generator) throws Exception {
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      TimeUnit.SECONDS.sleep(warmUp);
      long moved = moved(statement);
      double cpu = cpuSeconds(generator);
      long start = System.nanoTime();
      TimeUnit.SECONDS.sleep(window);
      double transactions = moved(statement) - moved;
      double seconds = (System.nanoTime() - start) / 1e9;
      return new Result(transactions / seconds, transactions / (cpuSeconds(generator) - cpu));
    }
  }

  /** Each transaction of either adds one row to its history; the counts are kept by the server. */
  private static long moved(Statement statement) throws SQLException {
    try (ResultSet row =
        statement.executeQuery(
            "SELECT (SELECT count(*) FROM pgbench_history)"
                + " + (SELECT count(*) FROM slicewise_tpcb.history)")) {
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

  private void print(String what, Result theirs, Result ours) {
    System.out.printf(
        Locale.ROOT,
        "%d clients, %s: pgbench %.0f/s (%.0f per CPU-second), slicewise %.0f/s (%.0f), %.1f %%%n",
        clients,
        what,
        theirs.perSecond(),
        theirs.perCpuSecond(),
        ours.perSecond(),
        ours.perCpuSecond(),
        100 * ours.perSecond() / theirs.perSecond());
  }
}
