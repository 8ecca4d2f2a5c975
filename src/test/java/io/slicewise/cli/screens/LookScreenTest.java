package io.slicewise.cli.screens;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.evidence.look.Ceiling;
import io.slicewise.evidence.look.Look;
import io.slicewise.evidence.look.LookedGuest;
import io.slicewise.evidence.look.LookedGuest.Other;
import io.slicewise.host.monitor.DomainShares;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Protects the screen of a look: the answer on one screen of 80 columns. */
class LookScreenTest {
  private static LookedGuest guest(
      String name, int vcpus, double run, double waiting, String note) {
    DomainShares shares = new DomainShares(name, 1, vcpus, run, waiting, Double.NaN, note);
    return new LookedGuest(
        name,
        vcpus,
        run,
        waiting,
        Double.NaN,
        List.of(new Other("batch", 0.6)),
        "weight 256 cap 0",
        Ceiling.of(shares, OptionalDouble.empty()),
        note);
  }

  private static String screen(double disk, LookedGuest... guests) {
    Look look =
        new Look(
            "dom0",
            Instant.EPOCH,
            30,
            new Look.Platform("Xen 4.17.3", "credit", 4),
            "xenalyze",
            "",
            List.of(guests),
            new Look.Pressure(disk, Double.NaN, Double.NaN, Double.NaN),
            Optional.empty(),
            List.of());
    List<String> lines = LookScreen.lines(look, "slicewise knobs dom0", 80);
    assertThat(lines).allMatch(line -> line.length() <= 80);
    return String.join("\n", lines);
  }

  @Test
  void givesTheCeilingAndWhoWasWaitedFor() {
    assertThat(
            screen(
                Double.NaN,
                guest("web", 1, 0.4, 0.2, ""),
                guest("batch", 4, 0.6, 0.39, ""),
                guest("mail", 1, 0.001, 0, "")))
        .isEqualTo(
            """
            LOOK    dom0   Xen 4.17.3, credit, 4 pCPUs   30 s, read only

            guest  vCPUs     run    wait  held   users  visitors
            batch      4  60.0 %  39.0 %     –  39.4 %  no bound
            web        1  40.0 %  20.0 %     –  33.3 %    70.4 %
              1 other guest used less
              run, wait, held: % of its vCPUs' time; users, visitors: the most that CPU
              scheduling can take off its mean response time, if users wait for each
              answer before they ask again, or visitors come on their own

            Answer  CPU scheduling can shorten the mean response time of web by at most 33 %
                      if its users wait for each answer, 70 % if visitors come on their own.
                    batch always wanted to run: it computes without end, or is saturated and
                      has no ceiling.
            Waits   web waited 20 % of its vCPUs' time; of its pCPUs' time others ran: batch
                      60 %.
                    batch waited 39 % of its vCPUs' time; of its pCPUs' time others ran:
                      batch 60 %.
            Next    slicewise knobs dom0""");
  }

  @Test
  void sendsTheReaderToTheDiskWhereNobodyWaitsForACpu() {
    assertThat(screen(0.44, guest("web", 1, 0.4, 0.001, ""), guest("db", 2, 0.2, 0, "")))
        .contains(
            """
            Answer  Nothing worth a study to gain from CPU scheduling under this load: at
                      most 0.7 % of the mean response time of web, and less of all others.
                    Look there first: tasks waited for disks 44 % of the time.
            """,
            "Host    tasks waited for disks 44.0 % of the time\n");
  }

  @Test
  void givesTheReasonWhereNothingWasMeasured() {
    assertThat(screen(Double.NaN, guest("web", 1, 0.4, Double.NaN, "xentop shows CPU use only")))
        .contains(
            "web        1  40.0 %     ?     –      ?         ?\n",
            "Answer  No ceiling for web: xentop shows CPU use only.\n");
  }
}
