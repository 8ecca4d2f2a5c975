import io.slicewise.load.FinishedLoad;
import io.slicewise.load.LoadGenerator;
import io.slicewise.load.LoadRequest;
import io.slicewise.load.RunningLoad;
import io.slicewise.target.Database;
import io.slicewise.target.PageFiles;
import io.slicewise.target.WebApplication;
import io.slicewise.target.WebApplicationOptions;
import io.slicewise.units.Secret;
import io.slicewise.units.Window;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/**
 * Helper of generator.sh: {@code target PORT} serves the web application on a real PostgreSQL until
 * its input ends; {@code load PLAN USERS PORT WARMUP MEASURE} runs the plan as a trial does and
 * prints the requests that ended in the window and the generator's CPU seconds in it.
 */
final class GeneratorBench {
  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("target")) {
      serve(Integer.parseInt(arguments[1]));
    } else {
      load(
          Path.of(arguments[1]),
          Integer.parseInt(arguments[2]),
          arguments[3],
          Duration.ofSeconds(Long.parseLong(arguments[4])),
          Duration.ofSeconds(Long.parseLong(arguments[5])));
    }
  }

  private static void serve(int port) throws Exception {
    Path files = Files.createTempDirectory("bench-files");
    PageFiles.createMissing(files);
    try (EmbeddedPostgres postgres =
        EmbeddedPostgres.builder().setServerConfig("synchronous_commit", "off").start()) {
      Database database =
          new Database(
              "jdbc:postgresql://localhost:" + postgres.getPort() + "/postgres",
              "postgres",
              Secret.of("postgres"));
      WebApplicationOptions local = WebApplicationOptions.local(database, files);
      try (WebApplication application =
          WebApplication.start(
              new WebApplicationOptions(
                  local.host(), port, database, files, local.connections(), local.pace()))) {
        System.out.println("serving " + application.uri());
        while (System.in.read() >= 0) {}
      }
    }
  }

  private static void load(
      Path plan, int users, String port, Duration warmUp, Duration measure) throws Exception {
    Path directory = Files.createTempDirectory("bench-load");
    LoadRequest request =
        new LoadRequest(
            plan,
            users,
            Duration.ZERO,
            warmUp.plus(measure).plusSeconds(30),
            Map.of("host", "127.0.0.1", "port", port),
            directory);
    try (LoadGenerator.PreparedLoad prepared = LoadGenerator.forked().prepare(request)) {
      RunningLoad load = prepared.begin();
      Thread.sleep(warmUp.toMillis());
      load.beginWindow();
      Instant start = Instant.now();
      Thread.sleep(measure.toMillis());
      Window window = new Window(start, Instant.now());
      FinishedLoad finished = load.stop(window);
      long stopMillis = Duration.between(window.end(), Instant.now()).toMillis();
      System.err.println(finished.health() + ", stopped in " + stopMillis + " ms");
      System.out.printf(
          Locale.ROOT,
          "%d %.2f%n",
          samples(finished.samples(), window),
          finished.health().cpuSeconds());
    }
  }

  private static long samples(Path file, Window window) throws Exception {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(new GZIPInputStream(Files.newInputStream(file))))) {
      return reader
          .lines()
          .skip(1)
          .map(line -> line.split(",", 3))
          .map(row -> Instant.ofEpochMilli(Long.parseLong(row[0]) + Long.parseLong(row[1])))
          .filter(window::contains)
          .count();
    }
  }
}
