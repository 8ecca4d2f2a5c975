package io.slicewise.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.CellSummary.ObservedPlace;
import io.slicewise.evidence.analysis.CellSummary.ObservedReading;
import io.slicewise.evidence.analysis.CellSummary.ObservedTopic;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.evidence.analysis.SweepSummary.Exclusion;
import io.slicewise.evidence.analysis.SweepSummary.Exclusions;
import io.slicewise.evidence.analysis.SweepSummary.Trials;
import io.slicewise.experiment.load.Load;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.host.monitor.machine.Machines;
import io.slicewise.observe.Observation.Location;
import io.slicewise.observe.Observation.Reading;
import io.slicewise.observe.Observation.Topic;
import io.slicewise.report.table.Csv.CsvTable;
import io.slicewise.report.table.Table;
import io.slicewise.report.table.TextColumns;
import io.slicewise.report.table.Wrap;
import io.slicewise.run.Origin;
import io.slicewise.stats.Estimate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Protects: text, CSV and HTML say the same; what is unknown is a dash or an empty field, never 0;
 * names stay text whatever is in them; and lines fit 100 columns.
 */
class ReportFormsTest {
  private static final String WICKED = "<img src=x onerror=alert(1)>,\"'&";

  private static Estimate of(double mean, double half, int n) {
    return new Estimate(mean, half / 2, n, mean - half, mean + half, 0.95);
  }

  private static Estimate single(double mean) {
    return new Estimate(mean, Double.NaN, 1, Double.NaN, Double.NaN, 0.95);
  }

  private static SweepSummary summary(String profile, String domain) {
    CellSummary cell =
        new CellSummary(
            profile,
            Load.of(25),
            3,
            Map.of(
                Metric.THROUGHPUT, of(127.57, 5.25, 3),
                Metric.MEAN, of(220.3, 12.1, 3),
                Metric.P95, single(402),
                Metric.ERRORS, of(0.005, 0.001, 3)),
            List.of(
                new ObservedTopic(
                    HypervisorShares.TOPIC,
                    List.of(
                        new ObservedPlace(
                            new Location(Location.Kind.DOMAIN, domain, 2),
                            3,
                            List.of(
                                share("run", of(0.541, 0.012, 3)),
                                share("wait", single(0.3)),
                                share("blocked", unknown()))))),
                new ObservedTopic(
                    new Topic("dom0", "Host kernel counters", ""),
                    List.of(
                        new ObservedPlace(
                            Location.domain("Domain-0"),
                            3,
                            List.of(
                                share("busy", of(0.25, 0.01, 3)),
                                share("stolen", of(0.05, 0.002, 3)),
                                share("waiting_for_disks", single(0.1)),
                                share("busiest_disk", unknown())))))),
            List.of(),
            List.of());
    return new SweepSummary(
        "web-app",
        "web-app",
        "dom0.example",
        new Origin(Origin.Kind.HOST, "measured on dom0.example"),
        new Trials(4, 4),
        List.of(cell),
        new Exclusions(
            List.of(new Exclusion(4, "0004-x-u25-r1", List.of("errors 3.1 % > 0.5 %"))),
            List.of(),
            List.of()),
        List.of("closed load"),
        Optional.empty());
  }

  private static ObservedPlace disk(String name, double reads) {
    return new ObservedPlace(
        Location.domain(name),
        3,
        List.of(
            new ObservedReading("reads", "1/s", single(reads)),
            new ObservedReading("read_wait", "ms", reads > 0 ? single(4) : unknown()),
            new ObservedReading("writes", "1/s", single(0))));
  }

  private static List<Table> ofMachines(double iowait, ObservedPlace... disks) {
    CellSummary cell =
        new CellSummary(
            "credit-256",
            Load.of(25),
            3,
            Map.of(),
            List.of(
                new ObservedTopic(
                    Machines.TOPIC,
                    List.of(
                        new ObservedPlace(
                            Location.domain("db"),
                            3,
                            List.of(
                                share("busy", single(0)),
                                share("waiting_for_disks", single(iowait)),
                                share("stalled_by_disks", unknown()))))),
                new ObservedTopic(Machines.DISKS, List.of(disks))),
            List.of(),
            List.of());
    return ResultTables.of(summary("credit-256", "web").with(List.of(cell)));
  }

  @Test
  void disksThatMovedNothingAreOnlyInFiles() {
    List<Table> idle = ofMachines(0, disk("db/xvda", 0), disk("Domain-0/sda", 0));
    assertThat(idle).extracting(Table::name).containsExactly("machines", "disks");
    List<Table> shown = ObservedTables.shown(idle);
    assertThat(shown).extracting(Table::name).containsExactly("machines");
    assertThat(shown.get(0).headings())
        .containsExactly("users", "profile", "n", "machine", "busy %");

    List<Table> busy =
        ObservedTables.shown(ofMachines(0.1, disk("db/xvda", 120), disk("Domain-0/sda", 0)));
    assertThat(busy.get(0).headings()).contains("waiting for disks %").hasSize(6);
    assertThat(busy.get(1).headings())
        .containsExactly("users", "profile", "n", "disk", "reads 1/s", "read wait ms");
    assertThat(busy.get(1).rows()).hasSize(1);
    assertThat(CsvTable.text(idle.get(1), Origin.Kind.HOST).lines()).hasSize(3);
  }

  private static ObservedReading share(String name, Estimate estimate) {
    return new ObservedReading(name, Reading.SHARE, estimate);
  }

  private static Estimate unknown() {
    return new Estimate(Double.NaN, Double.NaN, 0, Double.NaN, Double.NaN, 0.95);
  }

  private static List<Table> tables(String profile, String domain) {
    return ResultTables.of(summary(profile, domain));
  }

  @Test
  void printsMeansWithTheirIntervalsAndDashesForWhatIsUnknown() {
    List<String> lines = TextColumns.lines(tables("credit-256", "web").get(0), 100);
    assertThat(lines.get(1).trim().split("\\s{2,}"))
        .containsExactly(
            "users",
            "profile",
            "n",
            "throughput /s",
            "mean ms",
            "SD ms",
            "p50 ms",
            "p95 ms",
            "p99 ms",
            "errors %");
    assertThat(lines.get(2).trim().split("\\s{2,}"))
        .containsExactly(
            "25",
            "credit-256",
            "3",
            "127.6 ±5.3",
            "220.3 ±12.1",
            "–",
            "–",
            "402 ±–",
            "–",
            "0.5 ±0.1");
  }

  @Test
  void keepsFullPrecisionInFilesAndLeavesUnknownFieldsEmpty() {
    String csv = CsvTable.text(tables("credit-256", "web").get(1), Origin.Kind.HOST);
    assertThat(csv.lines())
        .containsExactly(
            "users,profile,n,domain,vcpus,run,run_sd,run_low,run_high,run_n,wait,wait_sd,wait_low,"
                + "wait_high,wait_n,blocked,blocked_sd,blocked_low,blocked_high,blocked_n,origin",
            "25,credit-256,3,web,2,0.541,0.006,0.529,0.553,3,0.3,,,,1,,,,,0,measured");
  }

  @Test
  void namesStayTextInEveryForm() {
    List<Table> tables = tables(WICKED, WICKED);
    assertThat(
            CsvTable.text(tables.get(0), Origin.Kind.HOST)
                .lines()
                .skip(1)
                .findFirst()
                .orElseThrow())
        .startsWith("25,\"<img src=x onerror=alert(1)>,\"\"'&\",3,");
  }

  @Test
  void tellsWhatDom0SawOfItselfWithADashForWhatItDidNotCount() {
    Table dom0 =
        tables("credit-256", "web").stream()
            .filter(table -> table.name().equals("dom0"))
            .findFirst()
            .orElseThrow();
    assertThat(TextColumns.lines(dom0, 100))
        .last()
        .asString()
        .matches(" *25 +credit-256 +3 +25\\.0 ±1\\.0 +5\\.0 ±0\\.2 +10\\.0 ±– +–");
    assertThat(CsvTable.text(dom0, Origin.Kind.HOST).lines().skip(1).findFirst().orElseThrow())
        .startsWith("25,credit-256,3,0.25,");
  }

  @Test
  void tellsWhichTrialLeftAndWhy() {
    SweepSummary summary = summary("credit-256", "web");
    assertThat(Sentences.footnotes(summary))
        .containsExactly("closed load", "1 trial excluded: errors 3.1 % > 0.5 %: 0004");
  }

  @Test
  void everyFormOfWhatWasComputedSaysSimulated() {
    SweepSummary summary =
        summary("credit-256", "web").from(Origin.simulated("demands of the 2010 study"));
    List<Table> tables = ResultTables.of(summary);
    assertThat(Sentences.headline(summary)).startsWith("web-app (simulated)");
    assertThat(tables)
        .allMatch(table -> TextColumns.lines(table, 100).get(0).endsWith("simulated"));
    for (Table table : tables) {
      assertThat(CsvTable.text(table, summary.origin().kind()).lines().skip(1))
          .isNotEmpty()
          .allMatch(row -> row.endsWith(",simulated"));
    }
  }

  @Test
  void breaksLongFootnotesBetweenWords() {
    String note = "excluded 0004-x: " + "one two three ".repeat(20).strip();
    assertThat(Wrap.footnote(note, 100))
        .hasSizeGreaterThan(2)
        .allMatch(line -> line.length() <= 100);
    assertThat(String.join(" ", Wrap.footnote(note, 100)).replaceAll("\\s+", " ").strip())
        .isEqualTo(note);
  }

  @Test
  void fitsAHundredColumnsWithLongNames() {
    for (Table table : tables("credit-4096-other-vms", "Domain_with_a_long_name")) {
      assertThat(TextColumns.lines(table, 100)).allMatch(line -> line.length() <= 100);
    }
  }
}
