package io.slicewise.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines;
import io.slicewise.cli.screens.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** {@code plan} tells what would run, when, and what it can show, in at most 100 columns. */
class PlanCommandTest {
  private static final Clock FRIDAY_NIGHT =
      Clock.fixed(Instant.parse("2026-11-20T21:00:00Z"), ZoneOffset.UTC);

  private static final String SHOP =
      """
      name: shop
      host: {address: dom0.example}
      domains: {main: [web, db]}
      profiles:
        - as-found
        - {name: heavy, scheduler: credit, main: {weight: 512}}
        - {name: capped, scheduler: credit, domains: {web: {weight: 512, cap: 50}}}
      workload: {name: web-app, target: "http://web.example/"}
      users: [25, 50]
      repetitions: 6
      measure: 3m
      """;

  @TempDir private Path directory;

  private record Said(int exit, String out, String err) {}

  @Test
  void saysWhenPairsRun() throws IOException {
    Said said =
        plan(
            SHOP.replace("users: [25, 50]", "users: 25\ngoal: lowest mean")
                    .replace("repetitions: 6\nmeasure: 3m\n", "")
                + "design: {kind: pairs, hours: [\"22:00-06:00\"], not-during: [\"02:00-03:30\"]}\n",
            "--offline");
    assertThat(said.exit()).as(said.err()).isEqualTo(ExitCode.OK.code());
    assertThat(said.out().replaceAll("\\s+", " "))
        .contains(
            "pairs run only in 22:00-06:00, not in 02:00-03:30; the times are without what passes"
                + " until then");
  }

  @Test
  void showsTheWholePlanWithoutTheHost() throws IOException {
    Said said = plan(SHOP, "--offline", "--cv", "2.7%");
    assertThat(said.exit()).isEqualTo(ExitCode.OK.code());
    assertThat(said.out())
        .contains("PLAN    shop   spec ")
        .contains("3 profiles x 2 loads = 6 cells a block, 6 repetitions = 36 trials")
        .contains("heavy: credit weight 512 cap 0 for main")
        .contains("capped: credit weight 512 cap 50 for web")
        .contains("as-found (baseline): nothing")
        .contains("36 trials: at least 2 h 24 m -> Fri 20 Nov 23:24")
        .contains("CV 2.7 % (given), 4 comparisons after Holm")
        .contains("0001  Fri 20 Nov 21:00  block 1");
    assertThat(said.out().lines()).allMatch(line -> line.length() <= 100);
  }

  /** A trial of work ends with it: the time in the file is only its limit. */
  @Test
  void limitsTheTimeOfWorkAndOmitsThePowerOfASingleProfile() throws IOException {
    String study =
        """
        name: study
        host: {address: dom0}
        domains: {main: [db]}
        profiles: [as-found]
        workload:
          name: tpch
          database: "jdbc:postgresql://db/bench"
          database-user: bench
          queries: [q01, q06]
          measure: work
          within: 30m
          state: warm
        users: 1
        repetitions: 3
        """;
    assertThat(plan(study, "--offline").out())
        .contains("a trial: until its work is done, at most 30 m")
        .contains("3 trials: at most 1 h 30 m")
        .contains("Order   0001  block 1  as-found")
        .contains("only one profile: nothing is compared")
        .doesNotContain("at least", "Power");
  }

  @Test
  void describesTheGuardsOfATune() throws IOException {
    String tune =
        """
        name: tuned
        host: {address: dom0}
        domains: {main: [web], other: [batch]}
        profiles: [as-found]
        workload: observe
        measure: 10s
        tune:
          goal: highest run share of web
          guard: {run share of batch: -40%}
          budget: {time: 1h}
          search: {web: {weight: 64..4096}}
        """;
    assertThat(plan(tune, "--offline").out())
        .contains("Guard   run share of batch not worse than -40%");
  }

  @Test
  void tellsBothEndsOfASweepThatStopsWhenPrecise() throws IOException {
    String stop =
        "controls: [as-found-twice]\nstop: {precision: 3%, within: {trials: 12, time: 5h}}\n";
    String aim = "goal: p95 < 200ms\nguard: {throughput: -5%, errors: 0.5%}\n";
    Said said = plan(SHOP + stop + aim, "--offline", "--cv", "2.7%");
    assertThat(said.out())
        .contains("Goal    p95 < 200ms")
        .contains("Guard   errors at most 0.5%; throughput not worse than -5%");
    assertThat(flowing(said.out()))
        .contains("4 profiles (as-found-twice for A/A) x 2 loads = 8 cells a block,")
        .contains("6 to 12 blocks = 48 trials to 96")
        .contains("every cell's p95 (else mean) known to +-3% by Stein's two stages; stops also")
        .contains("stops also after 12 blocks or 5 h 0 m")
        .contains("48 trials: at least 3 h 12 m -> Sat 21 Nov 00:12")
        .contains("up to 12 blocks: at least 5 h 0 m -> Sat 21 Nov 02:00")
        .contains("4 comparisons after Holm: 6 blocks detect changes >=")
        .contains("80 % power; 12 blocks >=");
    assertThat(said.out().lines()).allMatch(line -> line.length() <= 100);
    String shorter = stop.replace("5h", "1h");
    assertThat(flowing(plan(SHOP + shorter, "--offline").out()))
        .contains("the first stage takes longer than 'within: time' allows");
  }

  @ParameterizedTest
  @ValueSource(strings = {"web-app", "vps", "portal"})
  void acceptsTheStudysExperimentsAndEveryPropertyOfThem(String name) throws IOException {
    Path home = Path.of(System.getProperty("slicewise.home", "."));
    CommandLines.Said said =
        CommandLines.run(
            "plan", "--offline", home.resolve("experiments").resolve(name + ".yaml").toString());
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(flowing(said.out())).contains(name + ".jmx reads ").doesNotContain("and so ignores");
  }

  /** A load goes on through a trial's warm-up and window, and through all windows of a session. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          repetitions: 6                                                             | 40   | ''
          repetitions: 6                                                             | 39   | 40s
          design: {kind: switchback, blocks: 4, window: 10s, wash-out: 5s}         | 45   | 130s
          design: {kind: pairs, window: 10s, wash-out: 5s, at-most: {pairs: 20}}              | 45   | 610s
          """)
  void saysWhenThePlanEndsBeforeTheLoad(String design, int seconds, String load)
      throws IOException {
    Files.writeString(
        directory.resolve("own.jmx"),
        """
        <jmeterTestPlan><hashTree><ThreadGroup testclass="ThreadGroup" testname="g">
          <boolProp name="ThreadGroup.scheduler">true</boolProp>
          <stringProp name="ThreadGroup.duration">%d</stringProp>
        </ThreadGroup></hashTree></jmeterTestPlan>
        """
            .formatted(seconds));
    String said =
        flowing(
            plan(
                    """
                    name: own
                    host: {address: dom0}
                    domains: {main: [web]}
                    profiles:
                      - as-found
                      - {name: heavy, scheduler: credit, main: {weight: 512}}
                    workload: {name: plan, plan: own.jmx, target: "http://web.example/"}
                    users: 5
                    goal: lowest mean
                    ramp: 5s
                    warm-up: 10s
                    """
                        + design
                        + (design.startsWith("rep") ? "\nmeasure: 30s" : ""),
                    "--offline")
                .out());
    if (load.isEmpty()) {
      assertThat(said).doesNotContain("ends its users");
    } else {
      assertThat(said)
          .contains(
              "'g' ends its users after %d s, and a load may take %s".formatted(seconds, load));
    }
  }

  @Test
  void tellsWhichPropertiesThePlanReadsAndWhichGivenOnesItIgnores() throws IOException {
    String given =
        SHOP.replace(
            "target: \"http://web.example/\"}",
            "target: \"http://web.example/\", properties: {think-time: 5, thikn-time: 5,"
                + " httpclient4.retrycount: 1}}");
    assertThat(flowing(plan(given, "--offline").out()))
        .contains("web-app.jmx reads connect-timeout, duration, host,")
        .contains("ignored, since the plan does not read them: thikn-time");
    JsonNode plan = Json.mapper().readTree(plan(given, "--offline", "--format", "json").out());
    assertThat(plan.at("/jmeter/ignores").size()).isEqualTo(1);
    assertThat(flowing(plan(SHOP, "--offline").out())).doesNotContain("and so ignores");
  }

  @Test
  void offlineShowsCommandsOfAStatedToolstack() throws IOException {
    String xl = plan(SHOP, "--offline", "--commands", "--toolstack", "xl-4.5").out();
    assertThat(xl)
        .contains("heavy for web: not contacted -> weight 512 cap 0")
        .contains("      xl sched-credit -d web -w 512 -c 0")
        .contains("as xl of Xen 4.5 accepts them, without reading the host");
    assertThat(plan(SHOP, "--offline", "--toolstack", "xm").out())
        .contains("      xm sched-credit -d web -w 512 -c 0", "as xm of Xen 3.3 accepts them");
    assertThat(plan(SHOP, "--offline", "--toolstack", "esxi").exit())
        .isEqualTo(ExitCode.USAGE.code());
    String edf =
        SHOP.replace("scheduler: credit, main: {weight: 512}", "scheduler: rtds, main: {}");
    assertThat(flowing(plan(edf, "--offline", "--toolstack", "xm").out()))
        .contains("Note heavy: xm of Xen 3.3 has no settings for the rtds scheduler");
  }

  @Test
  void saysThatOneRepetitionShowsNothing() throws IOException {
    String out = plan(SHOP.replace("repetitions: 6", "repetitions: 1"), "--offline").out();
    assertThat(flowing(out))
        .contains("no change of any size can be detected")
        .contains("one repetition gives no interval and no comparison")
        .contains("(assumed; set it with --cv or --like)");
  }

  @Test
  void listsEveryTrialInTheStudysOrder() throws IOException {
    String out = plan(SHOP, "--offline", "--trials", "--order", "as-written").out();
    assertThat(
            out.lines().filter(line -> line.matches(".*\\b00\\d\\d  Fri.*|.*\\b00\\d\\d  Sat.*")))
        .hasSize(36)
        .first()
        .asString()
        .endsWith("block 1  as-found  25 users");
    assertThat(flowing(out))
        .contains("drift of the host cannot be distinguished from a difference");
  }

  @Test
  void showsSessionsBlocksWindowsAndWashOut() throws IOException {
    String night =
        SHOP.replace("repetitions: 6\n", "design: {kind: switchback, sessions: 2, blocks: 4}\n")
            .replace("measure: 3m\n", "");
    Said said = plan(night, "--offline");
    assertThat(said.exit()).isEqualTo(ExitCode.OK.code());
    assertThat(flowing(said.out()))
        .contains("3 profiles x 2 loads = 6 cells, 2 sessions of 4 blocks = 48 windows")
        .contains("switchback: one window of each profile per block, switched live")
        .contains("4 blocks, each window wash-out 2 s or more + 30 s = 7 m 24 s")
        .contains("48 windows: at least 29 m 36 s")
        .contains("2 sessions of a load: what a restart changes is not in the intervals")
        .contains("4 blocks of 3 profiles are not balanced for carry-over; multiples of 6 are")
        .contains("a p95 from 7 requests/s on (200 samples), a p99 from 34/s");
    Said refused = plan(night, "--offline", "--order", "as-written");
    assertThat(refused.err()).contains("order as-written has no blocks");
  }

  @Test
  void proposesMoreSessionsWhereTheyDetectLess() throws IOException {
    String night =
        SHOP.replace("repetitions: 6\n", "design: {kind: switchback, sessions: 3, blocks: 10}\n")
            .replace("measure: 3m\n", "");
    assertThat(flowing(plan(night, "--offline").out()))
        .containsPattern("3 x 10 blocks \\(sessions x blocks\\) detect changes >= 1[0-9]\\.[0-9] %")
        .containsPattern(
            "[56] x [456] blocks take about as long and detect changes >= [0-9]\\.[0-9] %");
  }

  @Test
  void givesTheSameFactsAsJson() throws IOException {
    JsonNode plan = Json.mapper().readTree(plan(SHOP, "--offline", "--format", "json").out());
    assertThat(plan.at("/design/users").size()).isEqualTo(2);
    assertThat(plan.at("/trials").size()).isEqualTo(36);
    assertThat(plan.at("/time/now").asText()).isEqualTo("PT2H24M");
    assertThat(plan.at("/power/smallestEffect").asDouble()).isPositive();
    assertThat(plan.at("/profiles/2/settings/web").asText()).isEqualTo("weight 512 cap 50");
  }

  @Test
  void stillPlansForAHostOutOfReach() throws IOException {
    Path key = Files.writeString(directory.resolve("known_hosts"), "");
    String here =
        "host: {address: 127.0.0.1, port: %d, identity: %s, known-hosts: %s}"
            .formatted(closedPort(), key, key);
    Said said = plan(SHOP.replaceFirst("host: .*", here));
    assertThat(said.exit()).isEqualTo(ExitCode.PREFLIGHT.code());
    assertThat(said.out()).contains("Stops   ").contains("36 trials: at least");
  }

  @Test
  void looksAtTheEmbeddedLabOverSsh() throws IOException {
    Said said =
        plan(
            """
            name: lab
            lab: {scheduler: credit}
            domains: {main: [Apache_Server]}
            profiles:
              - as-found
              - {name: heavy, scheduler: credit, main: {weight: 512}}
              - {name: edf, scheduler: rtds, main: {period: 10ms, budget: 2ms}}
            workload: observe
            """,
            "--commands");
    assertThat(said.out())
        .containsPattern("Host {4}root@127.0.0.1:\\d+ {3}Xen [34]\\.")
        .containsPattern("x[lm] sched-credit -d \\S+ -w 512 -c 0")
        .containsPattern("undo  x[lm] sched-credit -d \\S+ -w 256 -c 0")
        .contains("edf needs sched=rtds");
  }

  @Test
  void refusesAScatterWithoutItsUnit() throws IOException {
    Said said = plan(SHOP, "--offline", "--cv", "5");
    assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(said.err()).contains("must be 0% to 100%, with the sign");
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** The text without its line breaks. */
  private static String flowing(String text) {
    return text.replaceAll("\\s+", " ");
  }

  private Said plan(String experiment, String... options) throws IOException {
    Path file = Files.writeString(directory.resolve("shop.yaml"), experiment);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        new CommandLine(new PlanCommand(FRIDAY_NIGHT))
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .setCaseInsensitiveEnumValuesAllowed(true);
    String[] arguments = new String[options.length + 1];
    System.arraycopy(options, 0, arguments, 0, options.length);
    arguments[options.length] = file.toString();
    int exit = command.execute(arguments);
    return new Said(exit, out.toString(), err.toString());
  }

  /** What moves guests is known only from a further look at the host. */
  @Test
  void namesTheCommandsOfACpupoolThatAProfileMakes() {
    CommandLines.Said said = CommandLines.run("plan", "experiments/pools.yaml", "--commands");

    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(said.out())
        .contains("xl cpupool-create 'name=\"slicewise\"' 'sched=\"rtds\"'")
        .contains("undo  xl cpupool-destroy slicewise");
  }
}
