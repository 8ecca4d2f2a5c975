package io.slicewise.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.profile.Scheduler;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Holds xentrace, xenalyze and xentop to the formats and the truth of the machine. */
class TracingToolsTest {
  private static LabShell shell;

  @BeforeAll
  static void boot() {
    shell =
        new LabShell(
            LabOptions.sshOnly()
                .withScheduler(Scheduler.CREDIT)
                .withCpus(1, 1)
                .withGuests(LabGuest.burning("Apache_Server", 1), LabGuest.burning("db", 1)));
  }

  @AfterAll
  static void stop() {
    shell.close();
  }

  @Test
  void summaryTellsRunAndWaitOfTwoBurningGuests() {
    LabShell.Result recorded = shell.run("xentrace -D -e 0x00021000 -T 1 /tmp/trace");
    assertThat(recorded).isEqualTo(new LabShell.Result(0, "", "change evtmask to 0x21000\n"));
    String text = shell.run("xenalyze --cpu-hz=2400M --summary /tmp/trace").output();
    assertThat(text)
        .startsWith("Total time: ")
        .contains("(using cpu speed 2.40 GHz)\n--- Log volume summary ---\n - cpu 0 -\n sched : ")
        .contains("|-- Domain 1 --|\n Runstates:\n  full run: ")
        .contains("     preempt: ");
    double run = seconds(text, "   running");
    double wait = seconds(text, "  runnable");
    assertThat(run / (run + wait)).isCloseTo(0.5, within(0.1));
  }

  private static double seconds(String text, String state) {
    Matcher matcher =
        Pattern.compile(
                "Domain 1 --.*?-- v0 --.*?" + state + ": +(\\d+) +[\\d.]+s +(\\d+) ",
                Pattern.DOTALL)
            .matcher(text);
    assertThat(matcher.find()).as(state + " in " + text).isTrue();
    return Long.parseLong(matcher.group(1)) * Long.parseLong(matcher.group(2)) / 2.4e9;
  }

  @Test
  void xentopShowsNothingAtFirstAndSharesThen() {
    List<String> lines = shell.run("xentop -b -i 2 -d 1").output().lines().toList();
    assertThat(lines).hasSize(8);
    assertThat(lines.get(0))
        .isEqualTo(
            "      NAME  STATE   CPU(sec) CPU(%)     MEM(k) MEM(%)  MAXMEM(k) MAXMEM(%) VCPUS NETS"
                + " NETTX(k) NETRX(k) VBDS   VBD_OO   VBD_RD   VBD_WR  VBD_RSECT  VBD_WSECT SSID");
    assertThat(lines.get(1)).startsWith("Apache_Ser ").contains("    0.0     524288    3.1");
    double percent = Double.parseDouble(lines.get(5).strip().split(" +", -1)[3]);
    assertThat(percent).isCloseTo(50, within(10.0));
  }
}
