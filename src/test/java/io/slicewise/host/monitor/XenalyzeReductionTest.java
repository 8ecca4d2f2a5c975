package io.slicewise.host.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.host.Domain;
import io.slicewise.host.monitor.LogLines.Damage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Protects the reading of xenalyze's summary: cycles and not rounded seconds, vCPUs and not
 * domain-level runstates, and states cut off by the ends of the trace.
 */
class XenalyzeReductionTest {
  private static DomainShares shares(String summary, double hertz, Domain domain) {
    return new XenalyzeReduction(XenalyzeSummary.of(summary), hertz).shares(domain);
  }

  @Test
  void givesTheScheduleTheTraceWasMadeFrom() {
    String summary = Fixtures.text("xenalyze-4.17-summary.txt");

    DomainShares server = shares(summary, 2.4e9, Fixtures.domain("server", 2, 1));
    DomainShares hog = shares(summary, 2.4e9, Fixtures.domain("hog", 1, 1));

    // 8.0 ms blocked, 0.5 ms waiting, 2.0 ms running of 10.5; one wait of a hundred is not counted.
    assertThat(server.run()).isCloseTo(2.0 / 10.5, within(1e-9));
    assertThat(server.waiting()).isCloseTo(0.5 / 10.5 * 0.99, within(1e-9));
    assertThat(server.blocked()).isCloseTo(8.0 / 10.5, within(0.0005));
    assertThat(hog.run()).isCloseTo(8.5 / 10.5, within(1e-9));
    assertThat(hog.waiting()).isCloseTo(2.0 / 10.5, within(1e-9));
    assertThat(hog.blocked()).isCloseTo(0, within(1e-9));
    assertThat(server.note()).isEmpty();
  }

  @Test
  void sharesDoNotDependOnTheClockRate() {
    String summary = Fixtures.text("real/xenalyze-credit2.txt");
    Domain apache = Fixtures.domain("Apache_Server", 1, 1);

    assertThat(shares(summary, Double.NaN, apache).run())
        .isCloseTo(shares(summary, 2.4e9, apache).run(), within(1e-3));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"xenalyze-credit", "xenalyze-credit2", "xenalyze-rtds", "xenalyze-all-events"})
  void readsWhatARealHostPrinted(String name) {
    XenalyzeSummary summary = XenalyzeSummary.of(Fixtures.text("real/" + name + ".txt"));

    assertThat(summary.damage().total()).isZero();
    assertThat(summary.seconds()).isBetween(5.0, 6.0);
    assertThat(summary.domains()).containsOnlyKeys(0, 1, 2, 3, XenalyzeSummary.IDLE);
    assertThat(summary.domains().get(0)).containsOnlyKeys(0, 1);
  }

  @Test
  void agreesWithTheSecondsPrintedByARealHost() {
    String summary = Fixtures.text("real/xenalyze-credit.txt");

    DomainShares dom0 = shares(summary, 2.4e9, Fixtures.domain("Domain-0", 0, 2));
    DomainShares apache = shares(summary, 2.4e9, Fixtures.domain("Apache_Server", 1, 1));

    assertThat(dom0.run()).isCloseTo((0.09 + 0.11) / 2 / 5.39, within(0.002));
    assertThat(dom0.waiting()).isCloseTo((0.06 + 0.04) / 2 / 5.39, within(0.002));
    assertThat(apache.run()).isCloseTo(5.38 / 5.39, within(0.002));
  }

  @Test
  void countsALongStateBeyondTheTraceAsBlockedAndSaysSo() {
    DomainShares sleeper =
        shares(
            Fixtures.text("real/xenalyze-credit.txt"), 2.4e9, Fixtures.domain("SQL_Server", 3, 1));

    assertThat(sleeper.run()).isCloseTo(0.28 / 5.39, within(0.002));
    assertThat(sleeper.blocked()).isCloseTo(1 - (0.28 + 0.02) / 5.39, within(0.002));
    assertThat(sleeper.note()).contains("7.").contains("extend beyond the trace");
  }

  @Test
  void saysWhenADomainIsNotInTheTrace() {
    DomainShares absent =
        shares(Fixtures.text("xenalyze-4.17-summary.txt"), 2.4e9, Fixtures.domain("absent", 9, 1));

    assertThat(absent.run()).isZero();
    assertThat(absent.waiting()).isNaN();
    assertThat(absent.note()).contains("never ran");
  }

  @Test
  void leavesOutTimeWhoseRecordsWereLost() {
    String summary =
        Fixtures.text("xenalyze-4.17-summary.txt")
            .replace(
                "   running:     100  0.20s 4800000",
                "      lost:       1  0.05s 126000000\n   running:     100  0.20s 4800000");
    DomainShares server = shares(summary, 2.4e9, Fixtures.domain("server", 2, 1));

    assertThat(server.run()).isCloseTo(480e6 / (2520e6 - 126e6), within(1e-9));
    assertThat(server.note()).contains("5.0 % of its time is missing");
  }

  @Test
  void countsDamagedAndTruncatedLines() {
    String summary =
        Fixtures.text("xenalyze-4.17-summary.txt")
            .replace("   running:     100  0.85s 20400000", "   running:     100  0.85s 2040x000");
    XenalyzeSummary damaged = XenalyzeSummary.of(summary.substring(0, 1500));

    assertThat(damaged.damage().count(Damage.Kind.NOT_A_NUMBER)).isEqualTo(1);
    assertThat(damaged.damage().count(Damage.Kind.TRUNCATED)).isEqualTo(1);
  }

  @Test
  void aSecondSummaryInTheFileIsToldAndLeftOut() {
    String summary = Fixtures.text("real/xenalyze-credit.txt");
    XenalyzeSummary one = XenalyzeSummary.of(summary);
    XenalyzeSummary two = XenalyzeSummary.of(summary + Fixtures.text("real/xenalyze-credit2.txt"));

    assertThat(two.seconds()).isEqualTo(one.seconds());
    assertThat(two.domains()).isEqualTo(one.domains());
    assertThat(two.damage().count(Damage.Kind.REPEATED_HEADER)).isEqualTo(1);
  }

  @Test
  void withoutASummaryNothingIsMeasured() {
    DomainShares shares = shares("", 2.4e9, Fixtures.domain("web", 1, 1));

    assertThat(shares.run()).isNaN();
    assertThat(shares.note()).isNotEmpty();
  }
}
