package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.DebianPackages;
import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.MeasuresInRealTime;
import io.slicewise.Ports;
import io.slicewise.base.units.Secret;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabGuest;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.guest.Scenes;
import io.slicewise.load.access.Users;
import io.slicewise.profile.Scheduler;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.Connection;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.Shells;
import io.slicewise.ssh.SshLogin;
import io.slicewise.ssh.SshTestServer;
import io.slicewise.workload.counters.PrometheusProcess;
import io.slicewise.workload.target.Database;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects the way of an admin whose site has no log, only counters: those of Debian's Caddy, read
 * by Debian's Prometheus behind SSH, and those of a shop in a real PostgreSQL.
 */
@KeepsTheMachineBusy
@MeasuresInRealTime
@Tag("nightly")
class CounterStudiesTest {
  private static final int ENOUGH = 20;
  private static final int PAIRS = Integer.getInteger("slicewise.pairs", ENOUGH);

  @TempDir private Path directory;

  /** Starts Caddy before a guest, with its metrics at /metrics. */
  private Process caddy(URI guest, int port) throws Exception {
    Path program = DebianPackages.unpacked(directory.resolve("caddy"), "caddy");
    Path configuration =
        Files.writeString(
            directory.resolve("Caddyfile"),
            """
            {
              admin off
              auto_https off
              storage file_system %1$s/store
              servers {
                metrics
              }
            }
            http://:%2$d {
              bind 127.0.0.1
              metrics /metrics
              reverse_proxy 127.0.0.1:%3$d
            }
            """
                .formatted(directory, port, guest.getPort()));
    Process caddy =
        new ProcessBuilder(
                program.resolve("usr/bin/caddy").toString(),
                "run",
                "--config",
                configuration.toString(),
                "--adapter",
                "caddyfile")
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("caddy.out").toFile())
            .start();
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Ports.listens(port));
    return caddy;
  }

  @Test
  void decidesByWhatPrometheusReadFromTheSite() throws Exception {
    Path keys = Files.createDirectories(directory.resolve("keys"));
    int port = Ports.free();
    try (Lab lab = TrafficStudyTest.lab();
        SshTestServer metrics = SshTestServer.start(keys)) {
      Process caddy = caddy(lab.target().orElseThrow(), port);
      try (Users users = new Users(number -> Users.pageView(port, number), 28);
          PrometheusProcess prometheus =
              PrometheusProcess.start(
                  directory.resolve("prometheus"),
                  " - {job_name: site, scrape_interval: 1s, scrape_timeout: 1s, static_configs: [{targets: ['127.0.0.1:%d']}]}\n"
                      .formatted(port))) {
        LiveStudy study = LiveStudy.drafted(lab, directory, "prometheus");
        study.enter(
            "Apache_Server, NFS_Server, MySQL_Server",
            "name: web-first, scheduler: credit, main: {weight: 1024}, other: {cap: 100}",
            "name: batch-first, scheduler: credit, other: {weight: 2048}");
        study.edit("  server: \\{.*\\}", server(prometheus, metrics.connection()));
        for (String counter : new String[] {"sum", "count"}) {
          study.edit(
              "'http_request_duration_seconds_" + counter + "'",
              "'caddy_http_request_duration_seconds_%s{handler=\"reverse_proxy\"}'"
                  .formatted(counter));
        }
        study.edit(
            "window: 60s, wash-out: 15s",
            "window: 5s, wash-out: 4s, at-most: {pairs: 3, time: 15m}");
        TimeUnit.SECONDS.sleep(10); // of samples
        Said doctor = CommandLines.run("doctor", study.file() + "");
        assertThat(doctor.out()).as(doctor.err()).containsPattern("counters +mean .* s");
        String printed = study.compare(PAIRS);
        assertThat(users.visits()).filteredOn(visit -> visit.status() >= 500).isEmpty();
        judge(study, printed, "web-first");
      } finally {
        caddy.destroy();
        caddy.waitFor();
      }
    }
  }

  /** An answer must be the right one; on a busy machine, or after few pairs, there may be none. */
  private static void judge(LiveStudy study, String printed, String best) {
    assertThat(printed).containsPattern("(?m)^" + best + " +no generated load ");
    if (printed.contains("No answer yet")) {
      assertThat(printed.contains("too busy") || PAIRS < ENOUGH).as(printed).isTrue();
      study.applyAndRestore("--profile", best);
    } else {
      assertThat(printed).containsPattern("(?m)^ANSWER +.*" + best);
      study.applyAndRestore();
    }
  }

  private static String server(PrometheusProcess prometheus, Connection machine) {
    return "  server: {url: \"%s\", machine: 127.0.0.1, user: root, port: %d, identity: %s, known-hosts: %s}"
        .formatted(
            prometheus.url(),
            machine.login().port().orElseThrow(),
            machine.login().identity().orElseThrow(),
            machine.login().knownHosts().orElseThrow());
  }

  @Test
  void decidesByTheOrdersOfAShop() throws Exception {
    try (Lab lab =
        Lab.start(
            LabOptions.defaults()
                .withScheduler(Scheduler.CREDIT)
                .withScene(Scenes.named("tpcb").orElseThrow())
                .withGuests(LabGuest.of("Database", 2), LabGuest.burning("Batch", 4)))) {
      Map<String, Object> options = lab.workloadOptions();
      Database shop =
          new Database(
              (String) options.get("database"),
              (String) options.get("database-user"),
              Secret.inFile(Path.of((String) options.get("database-password-file"))));
      try (var connection = shop.connect();
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE orders (id serial PRIMARY KEY, article int)");
      }
      weigh(lab, 4096);
      ExecutorService customers = Executors.newCachedThreadPool();
      for (int customer = 0; customer < 8; customer++) {
        customers.execute(() -> order(shop));
      }
      try {
        LiveStudy study = LiveStudy.drafted(lab, directory, "sql");
        study.enter(
            "Database",
            "name: even, scheduler: credit, other: {weight: 256}",
            "name: same, scheduler: credit, other: {weight: 4096}");
        study.edit("  database: .*", "  database: \"%s\"".formatted(shop.url()));
        study.edit("# database-user: .*", "  database-user: " + shop.user());
        study.edit(
            "# database-password-file: .*",
            "  database-password-file: " + options.get("database-password-file"));
        study.edit("  query: .*", "  query: SELECT count(*) AS orders FROM orders");
        study.edit(
            "  measures: .*", "  measures: {orders: {growth: orders, unit: /s, better: more}}");
        study.edit("goal: .*", "goal: highest outcome orders");
        study.edit(
            "window: 60s, wash-out: 15s",
            "window: 5s, wash-out: 1s, at-most: {pairs: 3, time: 15m}");
        Said doctor = CommandLines.run("doctor", study.file() + "");
        assertThat(doctor.out()).as(doctor.err()).containsPattern("counters +orders .* /s");
        String printed = study.compare(PAIRS);
        judge(study, printed, "even");
      } finally {
        customers.shutdownNow();
      }
    }
  }

  /** Gives Batch so much weight that the shop waits for its pCPUs. */
  private static void weigh(Lab lab, int weight) {
    Connection host =
        Connection.to(
            "127.0.0.1", SshLogin.of("root", lab.sshPort(), lab.privateKey(), lab.knownHosts()));
    try (RemoteShell shell = Shells.open(host)) {
      assertThat(
              shell
                  .run(Command.changing("xl", "sched-credit", "-d", "Batch", "-w", weight + ""))
                  .succeeded())
          .isTrue();
    }
  }

  /** Orders one article after the other, until it is interrupted or the shop has closed. */
  private static void order(Database shop) {
    try (var connection = shop.connect();
        Statement statement = connection.createStatement()) {
      for (int article = 0; !Thread.currentThread().isInterrupted(); article++) {
        statement.execute("INSERT INTO orders (article) VALUES (%d)".formatted(article));
        TimeUnit.MILLISECONDS.sleep(10);
      }
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    } catch (SQLException closed) {
      assertThat(Thread.currentThread().isInterrupted()).as(closed.getMessage()).isTrue();
    }
  }
}
