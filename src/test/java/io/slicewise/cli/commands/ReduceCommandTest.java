package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines;
import io.slicewise.cli.screens.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Protects what {@code slicewise reduce} prints: tables that align, dashes, footnotes, JSON, CSV.
 */
class ReduceCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void writeFile() throws IOException {
    file =
        Files.writeString(
            directory.resolve("a.csv"),
            """
            timeStamp,elapsed,label,responseCode,success
            1790000000000,100,home,200,true
            1790000000500,300,"buy, now",500,false
            1790000000900,xx,home,200,true
            1790000000900,100,home,200,true
            """);
  }

  @Test
  void printsATableWithFootnotes() {
    assertThat(run("reduce", file.toString())).isZero();
    assertThat(out.toString().lines())
        .containsExactly(
            file + "  2026-09-21T14:13:20Z to 2026-09-21T14:13:21Z, 1.0 s",
            "label     n  errors  req/s  mean ms     sd  p50  p95  p99  min  max",
            "home      2       0   2.00    100.0    0.0    –    –    –  100  100",
            "buy, now  1       1   1.00    300.0      –    –    –    –  300  300",
            "total     3       1   3.00    166.7  115.5    –    –    –  100  300",
            "  in doubt: sums of transaction controllers cannot be recognized without the columns"
                + " responseMessage and threadName: the total may include them",
            "  1 × row with an unreadable number, line 4");
  }

  @Test
  void printsSharesOfXenmonsLogsWithWhatTheyDoNotTell() {
    String logs = "src/test/resources/xen/monitor/le4.7/log-dom";
    assertThat(
            run(
                "reduce",
                "--domain",
                "0=Domain-0:1",
                "--domain",
                "1=hog:1",
                logs + "0.log",
                logs + "1.log",
                logs + "2.log"))
        .as(err.toString())
        .isZero();
    assertThat(out.toString())
        .contains("log-dom0.log and 2 more  xenmon, 10.")
        .containsPattern("hog +1 +7\\d\\.\\d\\d +2\\d\\.\\d\\d +0\\.\\d\\d")
        .containsPattern("domain 2 +1 ")
        .contains("domain 2 is assumed to have one vCPU, because the number is unknown");
  }

  @Test
  void printsSharesOfXenalyzeAndXentop() {
    String monitor = "src/test/resources/xen/monitor/";
    assertThat(
            run(
                "reduce",
                "--format",
                "csv",
                monitor + "xenalyze-4.17-summary.txt",
                monitor + "real/xentop-b-i3-d1.txt"))
        .as(err.toString())
        .isZero();
    assertThat(out.toString())
        .startsWith("file,source,domain,id,vcpus,run,waiting,blocked")
        .contains("xenalyze,domain 1,1,1,0.8")
        .contains(",xentop,");
  }

  @Test
  void takesTheNumberOfVcpusFromXentopsColumn() throws IOException {
    String text =
        """
              NAME  STATE   CPU(sec) CPU(%)     MEM(k) MEM(%)  MAXMEM(k) MAXMEM(%) VCPUS NETS SSID
          Domain-0 -----r     161513    0.0    1048576    3.1   no limit       n/a     8    0    0
        c2214-vkge -----r       2084    0.0  754978808   93.9  754978816      93.9    92    3    0
              grew -----r       2084    0.0  754978808   93.9  754978816      93.9     2    3    0
              NAME  STATE   CPU(sec) CPU(%)     MEM(k) MEM(%)  MAXMEM(k) MAXMEM(%) VCPUS NETS SSID
          Domain-0 -----r     161513    8.0    1048576    3.1   no limit       n/a     8    0    0
        c2214-vkge -----r       2085 4600.0  754978808   93.9  754978816      93.9    92    3    0
              grew -----r       2084  100.0  754978808   93.9  754978816      93.9     4    3    0
        """;
    Path log = Files.writeString(directory.resolve("xentop.log"), text);
    assertThat(run("reduce", log.toString())).as(err.toString()).isZero();
    assertThat(out.toString())
        .containsPattern("c2214-vkge +92 +50\\.00")
        .containsPattern("Domain-0 +8 +1\\.00")
        .contains("grew had 2 to 4 vCPUs: its shares are of 4")
        .doesNotContain("assumed");
  }

  /** As after a live migration of a Xen guest. */
  @Test
  void saysThatStolenTimeWentBackwards() throws IOException {
    String text =
        """
        1543990000
        cpu  198 0 368 200064 1962 0 0 1340 0 0
        1543990001
        cpu  200 0 370 200330 1971 0 0 1248 0 0
        """;
    Path log = Files.writeString(directory.resolve("proc.log"), text);
    assertThat(run("reduce", log.toString())).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains("went backwards, and is not measured there: CPU time in steal")
        .doesNotContain("does not report stolen time");
    Files.writeString(log, text + "1543990002\ncpu  225 0 370 200380 1971 0 0 1273 0 0\n");
    out.getBuffer().setLength(0);
    assertThat(run("reduce", log.toString())).as(err.toString()).isZero();
    assertThat(out.toString()).as("of the second it is known").containsPattern("steal 25\\.00");
  }

  @Test
  void printsWhatTheKernelCounted() throws IOException {
    Path log =
        Files.writeString(
            directory.resolve("proc.log"),
            """
            1700000000
            cpu  100 0 50 800 20 0 0 30
            cpu0 100 0 50 800 20 0 0 30
            ctxt 5000
            pgpgin 640
            8 0 sda 100 0 800 5 0 0 0 0 0 50 9
            1700000010
            cpu  600 0 150 1100 20 0 0 130
            cpu0 600 0 150 1100 20 0 0 130
            ctxt 9000
            pgpgin 1280
            0.52 0.40 0.30 1/99 7
            8 0 sda 200 0 1600 5 0 0 0 0 0 5050 9
            """);
    assertThat(run("reduce", log.toString())).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains("proc.log  proc, 10.0 s")
        .containsPattern("the machine +1 +60\\.00 +10\\.00 +30\\.00")
        .contains("% of CPU time: user 50.00, nice 0.00, system 10.00")
        .contains("load average 0.52")
        .contains("a second: ctxt 400.0, pgpgin 64.0")
        .contains("sda: 10.0 reads/s of 4.0 KiB, 0.0 writes/s of – KiB, busy 50.00 %");
    out.getBuffer().setLength(0);
    assertThat(run("reduce", "--format", "json", log.toString())).isZero();
    assertThat(Json.mapper().readTree(out.toString()).at("/0/use/cpuShares/steal").asDouble())
        .isEqualTo(0.1);
  }

  /** A NUL block, half a character, a cut line and a cut gzip, in each of the four. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "le4.7/log-dom1.log",
        "real/xenalyze-credit2.txt",
        "real/xentop-b-i3-d1.txt",
        "proc"
      })
  void everyMonitorsLogMayBeDamagedAlike(String name) throws IOException {
    String text =
        name.equals("proc")
            ? kernel(0) + kernel(1) + kernel(2)
            : Files.readString(Path.of("src/test/resources/xen/monitor", name));
    String damaged = text.replaceFirst("\\R", "\n\0\0\0\n\u00ff\u00c3 half\n") + "cut";
    byte[] bytes = damaged.getBytes(StandardCharsets.ISO_8859_1);
    Path log = Files.write(directory.resolve("log-dom1.log"), bytes);
    assertThat(run("reduce", log.toString())).as(out.toString()).isZero();
    assertThat(out.toString())
        .contains("with NUL bytes (first at 2)")
        .contains("with an invalid character (first at 3)")
        .contains("cut off at the end of the file");

    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write((text + text + text).getBytes(StandardCharsets.ISO_8859_1));
    }
    Path cut = directory.resolve("log-dom1.log.gz");
    Files.write(cut, Arrays.copyOf(packed.toByteArray(), packed.size() - 12));
    out.getBuffer().setLength(0);
    assertThat(run("reduce", cut.toString())).as(out.toString()).isZero();
    assertThat(out.toString()).contains("the gzip is truncated or broken");
  }

  private static String kernel(int second) {
    return "cpu  %d 0 50 800 20 0 0 30%ncpu0 1 0 1 1 0 0 0 0%n".formatted(100 + 100 * second);
  }

  @Test
  void tellsDamageInXenmonsLogs() throws IOException {
    StringBuilder text = new StringBuilder("# passed cpu dom cpu(tot) cpu(%)\n");
    for (int second = 0; second < 20; second++) {
      text.append(second * 1000).append(" 0 1 5e8 50 0 0 0 0 0 1e8 10 5000 100 0 0\n");
    }
    text.append("20000 0 1 5e8 50 0 0 0\n2500 0 1 5e8 50 0 0 0 0 0 1e8 10 5000 100 0 0\n\0\0\n");
    Path log = Files.writeString(directory.resolve("log-dom1.log"), text);
    assertThat(run("reduce", log.toString())).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains("1 line with the wrong number of fields (first at 22) ignored")
        .contains("1 line going back in time (first at 23) ignored")
        .contains("1 line with NUL bytes (first at 24) ignored");
  }

  @Test
  void refusesSamplesAmongLogs() {
    assertThat(
            run(
                "reduce",
                file.toString(),
                "src/test/resources/xen/monitor/xenalyze-4.17-summary.txt"))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(err.toString()).contains("a.csv is not a monitor log, but other files are");
  }

  @Test
  void writesJsonWithNullForWhatCannotBeTold() throws IOException {
    Path json = directory.resolve("out.json");
    assertThat(run("reduce", "--format", "json", "--output", json.toString(), file.toString()))
        .isZero();
    assertThat(out.toString()).isEmpty();
    JsonNode first = Json.mapper().readTree(json.toFile()).get(0);
    assertThat(first.at("/labels/1/errors/500").asInt()).isEqualTo(1);
    assertThat(first.at("/labels/1/deviationMillis").isNull()).isTrue();
    assertThat(first.at("/series")).hasSize(2);
  }

  @Test
  void writesCsvOfTheLabelsAskedForAndTheTotal() {
    assertThat(run("reduce", "--format=csv", "--label", "buy, now", file.toString())).isZero();
    assertThat(out.toString().lines().skip(1))
        .containsExactly(
            file + ",\"buy, now\",1,1,1.0,300.0,,,,,300,300,0,0",
            file + ",total,3,1,3.0,166.66666666666666,115.47005383792515,,,,100,300,0,0");
  }

  @Test
  void answersThatAWindowHoldsNoSample() {
    assertThat(
            run(
                "reduce",
                "--from=2020-01-01T00:00:00Z",
                "--to=2020-01-01T00:01:00Z",
                file.toString()))
        .isEqualTo(ExitCode.NO_VALID_DATA.code());
    assertThat(out.toString()).contains("3 samples left out: outside the window");
  }

  @Test
  void refusesHalfAWindow() {
    assertThat(run("reduce", "--from=2020-01-01T00:00:00Z", file.toString()))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(err.toString()).contains("--from and --to must be used together");
  }

  private int run(String... arguments) {
    return CommandLines.run(out, err, arguments);
  }
}
