package io.slicewise.host.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.base.units.Window;
import io.slicewise.host.Domain;
import io.slicewise.host.monitor.LogLines.Damage;
import io.slicewise.host.monitor.XenmonLog.XenmonRow;
import io.slicewise.observe.Observation.Reading;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Protects what a xenmon log may be read to say: the wait by column layout, the diluted first pass,
 * the lag of pCPU 0, and that nothing unreadable is ever counted as idleness.
 */
class XenmonLogsTest {
  private static final Window ALL = Fixtures.window(0, 10.1);
  private static final List<Domain> DOMAINS =
      List.of(
          Fixtures.domain("Domain-0", 0, 1),
          Fixtures.domain("hog", 1, 1),
          Fixtures.domain("server", 2, 1));

  private static MonitorResult reduce(String set, int minor, Window window) {
    return XenmonLogs.reduce(
        Fixtures.xenmon(set),
        Fixtures.host(4, minor, 2),
        Fixtures.ZERO,
        window,
        DOMAINS,
        List.of());
  }

  @Test
  void bothLayoutsGiveTheSameWait() {
    MonitorResult old = reduce("le4.7", 7, ALL);
    MonitorResult recent = reduce("ge4.8", 17, ALL);

    assertThat(old.warnings()).isEmpty();
    assertThat(recent.warnings()).isEmpty();
    for (int i = 0; i < DOMAINS.size(); i++) {
      DomainShares before = old.shares().get(i);
      DomainShares after = recent.shares().get(i);
      assertThat(after.waiting()).isCloseTo(before.waiting(), within(before.waiting() * 1e-5));
      assertThat(after.run()).isEqualTo(before.run());
    }
  }

  /** A dispatch waits as long as its domain's waits in a second, over its dispatches. */
  @Test
  void dispatchesAndTheirWaitAreReportedByDomain() {
    for (MonitorResult result : List.of(reduce("le4.7", 7, ALL), reduce("ge4.8", 17, ALL))) {
      DomainShares server = result.shares().get(2);
      double dispatches = reading(server, HypervisorShares.SWITCHES);
      assertThat(dispatches).isGreaterThan(1);
      assertThat(dispatches * reading(server, HypervisorShares.WAIT_PER_DISPATCH) / 1e6)
          .isCloseTo(server.waiting() * server.vcpus(), within(1e-9));
      assertThat(server.others()).extracting(Reading::name).doesNotContain("io");
    }
  }

  private static double reading(DomainShares shares, String name) {
    return shares.others().stream()
        .filter(one -> one.name().equals(name))
        .mapToDouble(Reading::value)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void sharesAreThoseOfTheSchedule() {
    MonitorResult result = reduce("ge4.8", 17, ALL);

    DomainShares hog = result.shares().get(1);
    DomainShares server = result.shares().get(2);
    // One pCPU shared by the two: what the server runs is what the hog waits.
    assertThat(hog.run() + server.run()).isCloseTo(1, within(1e-4));
    assertThat(hog.waiting()).isCloseTo(server.run(), within(1e-3));
    assertThat(hog.blocked()).isCloseTo(0, within(1e-3));
    assertThat(server.waiting()).isBetween(0.040, 0.053);
    assertThat(server.run() + server.waiting() + server.blocked()).isCloseTo(1, within(1e-12));
    assertThat(result.shares()).allSatisfy(shares -> assertThat(shares.note()).isEmpty());
  }

  @Test
  void dropsTheDilutedFirstPass() {
    double expected =
        Fixtures.xenmonLog("le4.7/log-dom1.log").rows().stream()
            .skip(1)
            .mapToDouble(XenmonRow::runRate)
            .average()
            .orElseThrow();

    assertThat(reduce("le4.7", 4, ALL).shares().get(1).run())
        .isCloseTo(expected / 1e9, within(1e-4));
  }

  @Test
  void matchesRowsOfTheLaggingFirstPcpuToThePassOfTheOthers() {
    XenmonPasses passes = XenmonPasses.of(Fixtures.xenmon("le4.7"));

    assertThat(passes.count()).isEqualTo(11);
    for (int pass = 0; pass < 11; pass++) {
      assertThat(passes.rowsOf(0, pass)).hasSize(1);
      assertThat(passes.rowsOf(1, pass)).hasSize(1);
      assertThat(passes.rowsOf(1, pass).get(0).line()).isEqualTo(pass + 2);
    }
    assertThat(passes.endMillis().get(1)).isEqualTo(1003.1);
  }

  @Test
  void usesOnlyPassesOfTheWindowAndSaysWhatTheyCover() {
    MonitorResult result = reduce("le4.7", 4, Fixtures.window(3.2, 6.7));

    // Passes 4 to 7 have their middle in the window and reach beyond it at both ends.
    assertThat(result.covered()).isEqualTo(Fixtures.window(3.2, 6.7));
    assertThat(result.series().stream().map(MonitorResult.Second::second).distinct())
        .containsExactly(0, 1, 2, 3);
  }

  @Test
  void dividesByTheDomainsOwnVcpus() {
    Domain twoVcpus = Fixtures.domain("hog", 1, 2);
    MonitorResult result =
        XenmonLogs.reduce(
            Fixtures.xenmon("le4.7"),
            Fixtures.host(4, 4, 2),
            Fixtures.ZERO,
            ALL,
            List.of(twoVcpus),
            List.of());

    assertThat(result.shares().get(0).run())
        .isCloseTo(reduce("le4.7", 4, ALL).shares().get(1).run() / 2, within(1e-12));
    assertThat(result.shares().get(0).note()).contains("several vCPUs");
    assertThat(result.warnings()).contains("domain 2 ran but was not listed when the watch began");
  }

  @ParameterizedTest
  @CsvSource({"le4.7, 17, 11", "ge4.8, 4, 7"})
  void believesTheDataWhenTheyContradictTheVersion(String set, int minor, int column) {
    MonitorResult result = reduce(set, minor, ALL);

    assertThat(result.shares().get(2).waiting()).isBetween(0.040, 0.053);
    assertThat(result.warnings())
        .singleElement()
        .asString()
        .contains("show it in column " + column);
  }

  @Test
  void doesNotCallADomainIdleWhoseRowsWereLost() throws IOException {
    String text = Fixtures.text("le4.7/log-dom1.log");
    String damaged = text.replace("3006.500 0 1 7680", "3006.500 0 1 x680");
    MonitorResult result = reduceHog(damaged, 4);

    assertThat(result.shares().get(0).run())
        .isCloseTo(reduce("le4.7", 4, ALL).shares().get(1).run(), within(2e-3));
    assertThat(result.shares().get(0).note()).contains("3 of 10 s lost to damage");
    assertThat(result.warnings())
        .contains("log-dom1.log: 1 line with a field that is not a number (first at 6) ignored");
  }

  @Test
  void oneWildStampCostsOneRow() throws IOException {
    String text = Fixtures.text("le4.7/log-dom1.log").replace("\n3006.500", "\n93006.500");

    XenmonLog log = log(text);

    assertThat(log.rows()).hasSize(10);
    assertThat(log.damage().count(Damage.Kind.BACKWARDS)).isEqualTo(1);
  }

  @Test
  void countsEveryKindOfDamageWithItsLine() throws IOException {
    String good = "1003.100 0 1" + " 1.000".repeat(13) + "\n";
    String text =
        "# passed\n"
            + good
            + "\0\0\0\0\n"
            + "1 2 3\n"
            + good.replace("1003.100 0", "1003.100 -1")
            + good.replace(" 1.000\n", " nan\n").replaceFirst(" 1.000", " 1e400")
            + "# passed\n"
            + "x".repeat(70_000)
            + "\n"
            + "1003.100 0 1 1.000 1.0";

    XenmonLog log = log(text);

    assertThat(log.rows()).hasSize(1);
    assertThat(log.damage().sentences("log"))
        .containsExactly(
            "log: 1 line cut off at the end of the file (first at 9) ignored",
            "log: 1 line with NUL bytes (first at 3) ignored",
            "log: 1 line far too long (first at 8) ignored",
            "log: 1 line with the wrong number of fields (first at 4) ignored",
            "log: 2 lines with an impossible value (first at 5, 6) ignored",
            "log: 1 line starting another recording (first at 7) ignored");
    assertThat(log.damagedLines()).containsExactly(3, 4, 5, 6, 7, 8, 9);
  }

  @Test
  void aDomainWithoutARowDidNotRunButMayHaveWaited() {
    Domain sleeper = Fixtures.domain("sleeper", 7, 1);
    MonitorResult result =
        XenmonLogs.reduce(
            Fixtures.xenmon("le4.7"),
            Fixtures.host(4, 4, 2),
            Fixtures.ZERO,
            ALL,
            List.of(sleeper),
            List.of());

    assertThat(result.shares().get(0).run()).isZero();
    assertThat(result.shares().get(0).waiting()).isNaN();
    assertThat(result.shares().get(0).blocked()).isNaN();
    assertThat(result.shares().get(0).note()).contains("never ran");
  }

  @Test
  void saysNothingOfADomainBeyondXenbakedsSlots() {
    List<Domain> many =
        IntStream.range(0, 40).mapToObj(id -> Fixtures.domain("d" + id, id, 1)).toList();
    MonitorResult result =
        XenmonLogs.reduce(
            Fixtures.xenmon("le4.7"), Fixtures.host(4, 4, 2), Fixtures.ZERO, ALL, many, List.of());

    assertThat(result.shares().get(1).run()).isPositive();
    assertThat(result.shares().get(35).run()).isNaN();
    assertThat(result.shares().get(35).note()).contains("31 domains");
  }

  @Test
  void refusesAWaitThatDoesNotFitIntoTheTime() throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("# passed");
    for (int i = 0; i < 5; i++) {
      lines.add(
          i * 1000
              + ".000 1 1 900000000.000 90.000 1.0 30000000.000 0.000 0.000 0.000 900000000.000"
              + " 90.000 10000000.000 90.000 0.000 0.000");
    }
    MonitorResult result =
        XenmonLogs.reduce(
            List.of(log(String.join("\n", lines) + "\n")),
            Fixtures.host(4, 4, 2),
            Fixtures.ZERO,
            ALL,
            List.of(DOMAINS.get(1)),
            List.of());

    assertThat(result.shares().get(0).run()).isCloseTo(0.9, within(1e-9));
    assertThat(result.shares().get(0).waiting()).isNaN();
    assertThat(result.shares().get(0).note()).contains("add up to 180.0 %");
  }

  @Test
  void saysWhenTheRecordsEndBeforeTheWindowDoes() {
    MonitorResult result = reduce("le4.7", 4, Fixtures.window(5, 25));

    assertThat(result.covered().end()).isBefore(Fixtures.at(11));
    assertThat(result.warnings()).containsExactly("xenmon's records cover 5.0 of 20.0 s");
  }

  @Test
  void nothingInTheWindowIsNotMeasured() {
    MonitorResult result = reduce("le4.7", 4, Fixtures.window(100, 120));

    assertThat(result.covered().length()).isZero();
    assertThat(result.shares()).allSatisfy(shares -> assertThat(shares.run()).isNaN());
    assertThat(result.warnings())
        .containsExactly("none of xenmon's records is in the measured window");
  }

  private static MonitorResult reduceHog(String hogLog, int minor) throws IOException {
    return XenmonLogs.reduce(
        List.of(
            Fixtures.xenmonLog("le4.7/log-dom0.log"),
            log(hogLog),
            Fixtures.xenmonLog("le4.7/log-idle.log")),
        Fixtures.host(4, minor, 2),
        Fixtures.ZERO,
        ALL,
        List.of(DOMAINS.get(1)),
        List.of());
  }

  private static XenmonLog log(String text) throws IOException {
    return XenmonLog.read(
        "log-dom1.log", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }
}
