package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Protects {@code slicewise study} on published tables: every number that was worked out of them,
 * to its last digit; tables of the same form with other names; faulty tables.
 */
class StudyCommandTest {
  private static final String NUMBER = "[-+]?[0-9]+(\\.[0-9]+)?";

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return CommandLines.run(out, err, arguments);
  }

  private static Path resource(String name) throws URISyntaxException {
    return Path.of(StudyCommandTest.class.getResource(name).toURI());
  }

  private static String key(String table, String row, String field) {
    return table + " | " + row + " | " + field;
  }

  private Map<String, String> values(String... arguments) {
    assertThat(run(arguments)).as(err.toString()).isEqualTo(ExitCode.OK.code());
    Map<String, String> values = new LinkedHashMap<>();
    for (CsvRecord line : CsvReader.builder().ofCsvRecord(out.toString())) {
      values.put(key(line.getField(0), line.getField(1), line.getField(2)), line.getField(3));
    }
    return values;
  }

  private Map<String, String> published(String study) throws URISyntaxException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "study", study, "--format", "csv", "--tables", resource("/published").toString()));
    if (study.equals("overhead")) {
      arguments.addAll(List.of("--lat-pagefault", "1.67,3.5"));
    }
    return values(arguments.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(strings = {"overhead", "interference"})
  void rebuildsEveryPublishedValueToItsLastDigit(String study)
      throws IOException, URISyntaxException {
    Map<String, String> values = published(study);
    List<String> wrong = new ArrayList<>();
    int compared = 0;
    for (String line : Files.readAllLines(resource("/study/published-values.csv"))) {
      String[] expected = line.split(";", -1);
      if (expected[0].equals(study)) {
        String found = values.get(key(expected[1], expected[2], expected[3]));
        if (!agrees(found, expected[5], expected[4])) {
          wrong.add(line + " but " + found);
        }
        compared++;
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(compared).isGreaterThan(40);
  }

  private static boolean agrees(String found, String expected, String scale) {
    if (found == null || !expected.matches(NUMBER) || !found.matches("[-+0-9.E]+")) {
      return expected.equals(found);
    }
    double half = 0.5 * Math.pow(10, -new BigDecimal(expected).scale());
    double value = Double.parseDouble(found) * Double.parseDouble(scale);
    return Math.abs(value - Double.parseDouble(expected)) <= half * (1 + 1e-6) + 1e-9;
  }

  /** docs/check.md lists which cells deviate, and why. */
  @Test
  void derivedCellsDeviateOnlyWhereCheckFindsIt() throws URISyntaxException {
    Map<String, String> overhead = published("overhead");
    Map<String, String> interference = published("interference");
    assertThat(overhead.get(key("derived", "minhas-2007-runtime.csv", "recomputed")))
        .isEqualTo("181");
    overhead.forEach(
        (key, value) -> {
          if (key.startsWith("derived") && key.endsWith("deviating")) {
            assertThat(value).as(key).isEqualTo("0");
          }
        });
    assertThat(interference.get(key("derived", "jensen-2014-counters.csv", "deviating")))
        .isEqualTo("4");
    assertThat(interference.get(key("derived", "jensen-2014-verification.csv", "deviating")))
        .isEqualTo("3");
    assertThat(interference.get(key("derived", "jensen-2014-vmstat.csv", "deviating")))
        .isEqualTo("1");
    assertThat(interference.get(key("derived", "jensen-2014-tps-db-size.csv", "deviating")))
        .isEqualTo("0");
  }

  @Test
  void otherNamesAndKindsOfCallsWorkUnchanged() throws IOException {
    Files.writeString(
        directory.resolve("times.csv"),
        """
        experiment,task,system,metric,unit,value
        idle night,alpha,base,runtime,s,10.0
        idle night,alpha,domu,runtime,s,12.0
        idle night,beta,base,runtime,s,20.0
        idle night,beta,domu,runtime,s,22.0
        """);
    Files.writeString(
        directory.resolve("calls.csv"),
        """
        experiment,task,kind,system,metric,unit,value
        idle night,alpha,read,base,calls,count,1000
        idle night,alpha,read,xen,calls,count,1000
        idle night,alpha,read,base,time,ms,2.0
        idle night,alpha,read,xen,time,ms,3.0
        idle night,alpha,munmap,base,calls,count,500
        idle night,alpha,munmap,xen,calls,count,500
        idle night,alpha,munmap,base,time,ms,1.0
        idle night,alpha,munmap,xen,time,ms,4.0
        idle night,alpha,brk,base,calls,count,2
        idle night,alpha,brk,xen,calls,count,3
        idle night,alpha,brk,base,time,ms,0.001
        idle night,alpha,brk,xen,time,ms,0.002
        idle night,alpha,time,base,calls,count,3
        idle night,alpha,time,xen,calls,count,3
        idle night,alpha,time,base,time,ms,0.001
        idle night,alpha,time,xen,time,ms,0.002
        """);
    Map<String, String> values =
        values("study", "overhead", "--tables", directory.toString(), "--format", "csv");
    assertThat(values.get(key("overall", "idle night", "mean_of_ratios"))).startsWith("15.0");
    String munmap = "idle night / munmap, alpha";
    assertThat(values).containsKey(key("syscalls-by-kind", munmap, "ratio"));
    assertThat(Double.parseDouble(values.get(key("syscalls-by-kind", munmap, "ratio"))))
        .isEqualTo(4.0);
    assertThat(values.get(key("syscalls-by-kind", "idle night / other", "xen"))).isEqualTo("6.0");
    assertThat(values).doesNotContainKey(key("syscalls-by-kind", "idle night / brk, alpha", "xen"));
  }

  @Test
  void aSecondServerHasItsOwnReference() throws IOException {
    Files.writeString(
        directory.resolve("rack.csv"),
        """
        server,experiment,layer,metric,unit,value
        left,guest-7 only,dom0,reads_per_s,1/s,100
        left,guest-7 only,guest-7,reads_per_s,1/s,100
        left,guest-7 only,guest-7,AvgRdWait,ms,5
        left,guest-7 only,dom0,AvgRdWait,ms,5
        left,crowded,dom0,reads_per_s,1/s,200
        left,crowded,guest-7,reads_per_s,1/s,50
        left,crowded,guest-7,AvgRdWait,ms,10
        left,crowded,dom0,AvgRdWait,ms,20
        right,guest-7 only,guest-7,AvgRdWait,ms,8
        right,crowded,guest-7,AvgRdWait,ms,10
        """);
    Map<String, String> values =
        values("study", "interference", "--tables", directory.toString(), "--format", "csv");
    assertThat(values.get(key("interference", "left / crowded", "rps"))).isEqualTo("75.0");
    assertThat(values.get(key("interference", "left / crowded", "arw"))).isEqualTo("75.0");
    assertThat(values.get(key("interference", "left / crowded", "loss"))).isEqualTo("50.0");
    assertThat(Double.parseDouble(values.get(key("interference", "right / crowded", "loss"))))
        .isCloseTo(20, org.assertj.core.api.Assertions.within(1e-9));
  }

  @Test
  void aStudyOfOneRunRefusesASecondOne() {
    Said said = CommandLines.run("study", "interference", "one", "two");
    assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(said.err()).contains("the interference study is of one run");
  }

  @Test
  void allFaultsOfAllTablesAreReported() throws IOException {
    Files.writeString(
        directory.resolve("one.csv"), "system,metric,unit,value\nbase,runtime,s,1x\n");
    Files.writeString(
        directory.resolve("two.csv"),
        "system,metric,unit,value\nbase,runtime,s,3\nxen,runtime,s,4,5y\nxen,sys,s,z\n");
    assertThat(run("study", "overhead", "--tables", directory.toString()))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(err.toString())
        .contains("one.csv:2: value '1x' is not a number")
        .contains("two.csv:4: value 'z' is not a number");
  }

  @Test
  void spreadsheetsWithOtherNamesUnitsAndGapsAreRead() throws IOException {
    Files.writeString(
        directory.resolve("times.csv"),
        String.join(
            "\r\n",
            "\uFEFFState,Statement, System,Metric,Unit,Value ",
            "idle,insert-many,Base,Runtime,ms,2000",
            "idle,insert-many,DomU,runtime,s,2.5",
            "idle,report,base,runtime,min,1",
            "idle,report,domU,runtime,min,1.5",
            "idle,broken,base,runtime,s,3",
            "idle,broken,domu,runtime,s,",
            "idle,report,domu,user,%,40",
            ""));
    Files.writeString(directory.resolve("people.csv"), "name,room\nx,1\n");
    Files.writeString(directory.resolve("other.csv"), "name;room\nx;1\n");
    Map<String, String> values =
        values("study", "overhead", "--tables", directory.toString(), "--format", "csv");
    assertThat(values.get(key("overall", "idle", "cases"))).isEqualTo("2");
    assertThat(values.get(key("overall", "idle", "base_s"))).isEqualTo("62.0");
    assertThat(Double.parseDouble(values.get(key("slowdown", "idle / insert-many", "rel"))))
        .isEqualTo(25.0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          system,metric,unit,value¶xen,runtime,s,"4,5"   | t.csv:2: value '4,5' is not a number; write it with a decimal point and without separators
          system;metric;unit;value¶xen;runtime;s;4,5     | its columns are separated by semicolons; save it with commas between columns and decimal points
          system→metric→unit→value¶xen→runtime→s→4 | its columns are separated by tabs; save it with commas between columns and decimal points
          system,metric,unit,value¶xen,runtime,days,4    | t.csv:2: runtime is in 'days'; use s, ms, us, ns, min or h
          system,metric,unit,value¶xen,disk_read,GB,4    | t.csv:2: disk_read is in 'GB'; use MB
          system,metric,unit,value¶xen,runtime,s,n/a     | t.csv:2: value 'n/a' is not a number
          """)
  void aTableThatCannotBeReadIsOneSentence(String text, String sentence) throws IOException {
    Files.writeString(
        directory.resolve("t.csv"), text.replace("¶", "\n").replace("→", "\t") + "\n");
    assertThat(run("study", "overhead", "--tables", directory.toString()))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(err.toString().replaceAll("\\s+", " ")).contains(sentence);
  }

  @Test
  void tablesOfAnotherStudyAreRefused() throws IOException {
    Files.writeString(directory.resolve("one.csv"), "layer,metric,unit,value\ndom0,tps,1/s,1\n");
    assertThat(run("study", "overhead", "--tables", directory.toString()))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(err.toString()).contains("no table has a number of the system base or xen");
    assertThat(run("study", "overhead")).isEqualTo(ExitCode.USAGE.code());
    assertThat(err.toString()).contains("a study needs run directories or published tables");
    assertThat(run("study", "overhead", "--lat-pagefault", "1.67"))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(err.toString()).contains("'1.67' is not two positive numbers of microseconds");
  }

  @Test
  void everyFormatHasTheSameTables() throws URISyntaxException {
    String tables = resource("/published").toString();
    run("study", "overhead", "--tables", tables);
    assertThat(out.toString()).contains("Overall slowdown in the guest, in three ways");
    run("study", "overhead", "--tables", tables, "--format", "markdown");
    assertThat(out.toString()).contains("| warm | 22 | 88.13 | 106.41 | 28.81 |");
    run("study", "overhead", "--tables", tables, "--format", "latex");
    assertThat(out.toString()).contains("warm & 22 & 88.13 & 106.41 & 28.81 &");
    run("study", "overhead", "--tables", tables, "--table", "overall", "--format", "csv");
    assertThat(out.toString()).startsWith("arm,cases,base_s,xen_s,geometric,");
    assertThat(run("study", "overhead", "--tables", tables, "--table", "nothing"))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(err.toString()).contains("has no table 'nothing'").contains("overall, slowdown");
  }

  @Test
  void jsonHoldsTheNumbers() throws IOException, URISyntaxException {
    run("study", "overhead", "--tables", resource("/published").toString(), "--format", "json");
    JsonNode study = Json.mapper().readTree(out.toString());
    assertThat(study.at("/slowdowns/0/arm").asText()).isEqualTo("warm");
    assertThat(study.at("/slowdowns/0/cases").size()).isEqualTo(22);
  }
}
