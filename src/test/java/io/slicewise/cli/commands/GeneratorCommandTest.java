package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.daemon.LabMachine;
import io.slicewise.load.spread.LabMachines;
import io.slicewise.load.spread.LoadCapacity;
import io.slicewise.profile.Scheduler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines that are to generate load: what they lack, what they carry, and who gets how much. */
@KeepsTheMachineBusy
class GeneratorCommandTest {
  private static final Path HOME = Path.of(System.getProperty("slicewise.home"));

  private static final String EXPERIMENT =
      """
      name: spread
      host: {address: 127.0.0.1, user: root, port: %d, identity: %s, known-hosts: %s}
      domains: {main: [Apache_Server]}
      generators: [%s]
      profiles: [as-found, {name: heavy, scheduler: credit, main: {weight: 512}}]
      workload: {name: plan, plan: %s, target: "http://127.0.0.1:%d/", properties: {think-time: 10}}
      users: [25, 1]
      measure: 10s
      """;

  @TempDir private Path directory;
  private LabMachine machine;

  @BeforeEach
  void start() throws IOException {
    System.setProperty("slicewise.cache.generators", directory.resolve("cache").toString());
    LabMachines.keepJars();
    machine = LabMachine.start(directory.resolve("machine"));
  }

  @AfterEach
  void end() {
    machine.close();
    System.clearProperty("slicewise.cache.generators");
  }

  private String address() {
    return "%s@127.0.0.1:%d".formatted(LabMachine.USER, machine.port());
  }

  private Said check(String... options) {
    List<String> words = new ArrayList<>(List.of("generator", "check"));
    words.addAll(List.of("--identity", machine.privateKey().toString()));
    words.addAll(List.of("--known-hosts", machine.knownHosts().toString()));
    words.addAll(List.of(options));
    return CommandLines.run(words.toArray(String[]::new));
  }

  @Test
  void saysWhatMachinesOfferAndLackAndLeavesNothingThere() {
    Said said = check("--rounds", "0", address(), "local", "load@127.0.0.1:1");

    assertThat(said.exit()).isEqualTo(ExitCode.PREFLIGHT.code());
    assertThat(said.out().replaceAll("\\s+", " "))
        .contains(address() + ": Linux ")
        .containsPattern(address() + ": Java 17\\.")
        .containsPattern(address() + ": [0-9.]+ GB free in /")
        .containsPattern(address() + ": clock [+-][0-9.]+ ms from this machine's, known to ±")
        .containsPattern("open files a process; [0-9,]+ ports, so [0-9,]+ new connections a second")
        .contains("blocking generator load@127.0.0.1:1: load@127.0.0.1:1 cannot be reached")
        .contains(address() + " and local are one machine: both have the boot id ");
    assertThat(said.out().lines()).allMatch(line -> line.length() <= 100);
    await().until(() -> machine.running().isEmpty());
  }

  @Test
  void namesWhatIsMissing() {
    Said said = check("--rounds", "0", "--java", "no-such-java", address());

    assertThat(said.exit()).isEqualTo(ExitCode.PREFLIGHT.code());
    assertThat(said.out())
        .contains(": Java was not found")
        .contains("-> install a Java 17 runtime");
  }

  @Test
  @Tag("nightly")
  void measuresHowMuchAMachineCarries() throws IOException {
    Said said = check("--rounds", "2", "--seconds", "6", "--format", "json", address());

    JsonNode checked = Json.mapper().readTree(said.out()).get(0);
    assertThat(checked.get("facts").get("cores").asInt()).isPositive();
    assertThat(checked.get("rounds")).hasSize(2);
    assertThat(checked.get("findings").findValuesAsText("sentence"))
        .anyMatch(
            sentence -> sentence.matches(".* carries .*requests/s \\(95 % CI .*, 2 rounds\\); .*"));
    assertThat(LoadCapacity.remembered(address()).orElseThrow().rounds()).isEqualTo(2);
    assertThat(said.err()).contains(address() + ": measuring its load");
    await().atMost(Duration.ofSeconds(30)).until(() -> machine.running().isEmpty());
    try (Stream<Path> left = Files.list(machine.home().resolve(".cache/slicewise"))) {
      assertThat(left).extracting(path -> path.getFileName().toString()).containsOnly("jars");
    }
  }

  @Test
  void planSplitsTheUsersAndDoctorLooksAtEachMachine() throws IOException {
    HttpServer server = HttpServer.create(loopback(), 10);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    new LoadCapacity(500, 480, 520, 3, true, Instant.parse("2026-11-22T20:00:00Z"))
        .remember(address());
    try (Lab lab = Lab.start(LabOptions.sshOnly().withScheduler(Scheduler.CREDIT))) {
      Path file = experiment(lab, HOME.resolve("jmeter-plans/page.jmx"), server);

      assertThat(CommandLines.run("plan", "--offline", file.toString()).out())
          .contains("generators, 25 users: " + address() + " 17, local 8")
          .contains("generators, 1 user: " + address() + " 1; idle: local");
      String said = CommandLines.run("doctor", file.toString()).out().replaceAll("\\s+", " ");
      assertThat(said)
          .contains("ok generators 25 users: " + address() + " 17, local 8")
          .contains(
              "warning generators "
                  + address()
                  + " carries 500 requests/s (95 % CI 480 to 520, 3 rounds), measured on"
                  + " 2026-11-22; its part is at most 1,700/s -> its trials would be excluded for"
                  + " lateness: use fewer users there, or add machines (about 7 like it carry"
                  + " everything with room)")
          .contains(
              "local: how much load it carries was never measured -> slicewise generator"
                  + " check local")
          .contains(address() + ": Java 17");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void doctorRefusesAGeneratorOnTheHostUnderTestOrOnTheTarget() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("spread.yaml"),
            EXPERIMENT
                .replace("127.0.0.1", "localhost")
                .formatted(
                    1,
                    machine.privateKey(),
                    machine.knownHosts(),
                    "load@localhost:1, local",
                    HOME.resolve("jmeter-plans/page.jmx"),
                    1));

    assertThat(CommandLines.run("doctor", file.toString()).out().replaceAll("\\s+", " "))
        .contains("blocking generator load@localhost:1 is the target's machine")
        .contains("blocking generator load@localhost:1 is the host under test");
  }

  private static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private Path experiment(Lab lab, Path plan, HttpServer server) throws IOException {
    String first =
        "{address: '%s', share: 2, identity: %s, known-hosts: %s}"
            .formatted(address(), machine.privateKey(), machine.knownHosts());
    return Files.writeString(
        directory.resolve("spread.yaml"),
        EXPERIMENT.formatted(
            lab.sshPort(),
            lab.privateKey(),
            lab.knownHosts(),
            first + ", local",
            plan,
            server.getAddress().getPort()));
  }

  @Test
  void planRefusesWhatCannotBeSplitBeforeAnythingIsTouched() throws IOException {
    Path plan =
        Files.writeString(
            directory.resolve("counting.jmx"),
            Files.readString(HOME.resolve("jmeter-plans/page.jmx"))
                .replace(
                    "<ConstantTimer guiclass",
                    "<CounterConfig testclass=\"CounterConfig\" testname=\"orders\"/><hashTree/>"
                        + "<ConstantTimer guiclass"));
    Path file =
        Files.writeString(
            directory.resolve("spread.yaml"),
            EXPERIMENT.formatted(22, "none", "none", "gen1.example, gen2.example", plan, 80));

    Said said = CommandLines.run("plan", "--offline", file.toString());

    assertThat(said.exit()).isEqualTo(ExitCode.PREFLIGHT.code());
    assertThat(said.out().replaceAll("\\s+", " "))
        .contains("generators, 25 users: gen1.example 13, gen2.example 12")
        .contains("Stops counter 'orders' counts on each generator by itself");
    runRefuses(file, "counter 'orders' counts on each generator by itself");

    Files.writeString(
        file,
        Files.readString(file).replaceFirst("profiles: .*", "profiles: [as-found]")
            + "tune: {goal: lowest mean, budget: {trials: 200},"
            + " search: {Apache_Server: {weight: 16..128}}}\n");
    for (String command : List.of("plan", "tune")) {
      assertThat(CommandLines.run(command, file.toString()).err())
          .as(command)
          .contains("cannot run on several generators: counter 'orders'");
    }
  }

  /** The host does not exist: had it been asked, that would be the fault. */
  private void runRefuses(Path file, String fault) {
    Path results = directory.resolve("results");
    Said ran =
        CommandLines.run("run", "--anyway", file.toString(), "--results", results.toString(), "-q");
    assertThat(ran.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(ran.err()).contains("cannot run on several generators: " + fault);
    assertThat(results).isEmptyDirectory();
  }

  @Test
  void fewerRowsThanUsersAreAFaultIfTheDataDoNotBeginAgainAndAWarningOtherwise()
      throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("spread.yaml"),
            EXPERIMENT.formatted(
                1,
                machine.privateKey(),
                machine.knownHosts(),
                "load@localhost:1, local",
                withRows(false),
                1));
    Said said = CommandLines.run("plan", "--offline", file.toString());
    String fault =
        "at 25 users, the 13 of generator load@localhost:1 get 1 of the 2 rows of names.csv, and"
            + " data set 'names' does not begin again";
    assertThat(said.exit()).isEqualTo(ExitCode.PREFLIGHT.code());
    assertThat(said.out().replaceAll("\\s+", " ")).contains("Stops " + fault);
    runRefuses(file, fault);

    withRows(true);
    Said warned = CommandLines.run("plan", "--offline", file.toString());
    assertThat(warned.exit()).isEqualTo(ExitCode.OK.code());
    assertThat(warned.out().replaceAll("\\s+", " "))
        .contains(
            "Note at 25 users, the 13 of generator load@localhost:1 get 1 of the 2 rows of"
                + " names.csv, so some of them use the same rows");
    assertThat(CommandLines.run("doctor", file.toString()).out().replaceAll("\\s+", " "))
        .contains(
            "warning plan at 25 users, the 13 of generator load@localhost:1 get 1 of the 2 rows");
  }

  /** The page with a data set of two rows. */
  private Path withRows(boolean recycle) throws IOException {
    Files.writeString(directory.resolve("names.csv"), "name\nann\nbob\n");
    return Files.writeString(
        directory.resolve("rows.jmx"),
        Files.readString(HOME.resolve("jmeter-plans/page.jmx"))
            .replace(
                "<ConstantTimer guiclass",
                "<CSVDataSet testclass=\"CSVDataSet\" testname=\"names\"><stringProp"
                    + " name=\"filename\">names.csv</stringProp><boolProp name=\"recycle\">%s"
                        .formatted(recycle)
                    + "</boolProp></CSVDataSet><hashTree/><ConstantTimer guiclass"));
  }

  @Test
  void planRefusesLoadsAndRowsThatJMetersServersCannotShare() throws IOException {
    Path plan = withRows(true);
    Path file =
        Files.writeString(
            directory.resolve("spread.yaml"),
            EXPERIMENT
                .replace(
                    "[%s]", "{jmeter-servers: ['load1:1099', load2], keystore: rmi_keystore.jks}")
                .formatted(22, "none", "none", plan, 80));

    Said said = CommandLines.run("plan", "--offline", file.toString());

    assertThat(said.exit()).isEqualTo(ExitCode.PREFLIGHT.code());
    assertThat(said.out().replaceAll("\\s+", " "))
        .contains("generators, 25 users: load1:1099 13, load2 12")
        .contains("25 users cannot be divided equally by 2 JMeter servers; 24 or 26 can")
        .contains("1 user cannot be divided equally by 2 JMeter servers; 2 can")
        .contains("each JMeter server reads all rows of its own copy of names.csv");

    Files.writeString(
        file, Files.readString(file).replace("keystore: rmi_keystore.jks", "machines: [gen1]"));
    assertThat(CommandLines.run("plan", "--offline", file.toString()).err())
        .contains("jmeter-servers of generators cannot be used together with 'machines'");
  }
}
