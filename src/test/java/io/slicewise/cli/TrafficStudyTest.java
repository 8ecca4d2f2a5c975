package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.MeasuresInRealTime;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabGuest;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.LabSettings;
import io.slicewise.load.access.Site;
import io.slicewise.profile.Scheduler;
import io.slicewise.run.RunDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects the way of a production admin: a real nginx before a guest, users of whom Slicewise does
 * not know, and every command from the first file to settings that are applied and taken back.
 */
@KeepsTheMachineBusy
@MeasuresInRealTime
@Tag("nightly")
class TrafficStudyTest {
  private static final Pattern ANSWER = Pattern.compile("(?m)^ANSWER +(.*)$");

  @TempDir private Path directory;

  private static Lab lab() {
    return Lab.start(
        LabOptions.defaults()
            .withScheduler(Scheduler.CREDIT)
            .withGuests(
                LabGuest.of("Apache_Server", 1),
                LabGuest.of("NFS_Server", 2),
                LabGuest.of("MySQL_Server", 2),
                LabGuest.burning("Batch", 4)));
  }

  private Path file(Lab lab, Site site) throws Exception {
    Path file = directory.resolve("site.yaml");
    said("init", "traffic", "--host", "127.0.0.1", "--log", site.log() + "", "-o", file + "");
    String draft = Files.readString(file);
    assertThat(draft).contains("observe: true", "dead-man: 1m");
    String written =
        draft
                .replaceFirst(
                    "  address: 127.0.0.1.*",
                    Matcher.quoteReplacement(
                        "  address: 127.0.0.1\n  user: root\n  port: %d\n  identity: %s\n  known-hosts: %s"
                            .formatted(lab.sshPort(), lab.privateKey(), lab.knownHosts())))
                .replace(
                    "main: [guest]",
                    "main: [Apache_Server, NFS_Server, MySQL_Server], other: [Batch]")
                .replaceFirst("  main: \\[(.*)\\], other", "  main: [$1]\n  other")
                .replaceFirst(
                    "  - \\{name: heavy.*\\}",
                    "  - {name: web-first, scheduler: credit, main: {weight: 1024}, other: {cap: 100}}\n"
                        + "  - {name: batch-first, scheduler: credit, other: {weight: 2048}}")
                .replace("format: nginx}", "format: nginx, machine: local}")
                .replace(
                    "observe: true}",
                    "window: 3s, wash-out: 1s, at-most: {pairs: 3, time: 10m}, observe: true}")
                .replaceFirst("warm-up: 10s", "warm-up: 5s")
            + "limits: {lab-lateness: 9s}\n";
    return Files.writeString(file, written);
  }

  private Said said(String... words) {
    Said said = CommandLines.run(words);
    assertThat(said.exit()).as(String.join(" ", words) + said.err() + said.out()).isZero();
    return said;
  }

  private Said measured(Path file) {
    Said said =
        CommandLines.run(
            "run", file + "", "--anyway", "--plain", "--results", directory.resolve("runs") + "");
    assertThat(said.exit()).as(said.err() + said.out()).isIn(CommandLines.measured());
    return said;
  }

  @Test
  void fromTheFirstFileToSettingsThatServeTheUsersBetter() throws Exception {
    assumeTrue(Site.canBeBuilt(), "nginx is not installed");
    try (Lab lab = lab();
        Site site = Site.before(lab.target().orElseThrow(), directory.resolve("site"), 28)) {
      LabSettings asFound = lab.settings();
      Path file = file(lab, site);
      Said doctor = CommandLines.run("doctor", file + "");
      assertThat(doctor.out()).as(doctor.err()).contains("requests/s", "0 lines not understood");
      assertThat(said("plan", file + "").out()).contains("as-found-twice", "coin");
      assertThat(said("plan", file + "", "--traffic", site.log() + "").out())
          .contains("requests in", "0 lines not understood");

      assertThat(measured(file).out()).contains("only observed", "no changes left");
      assertThat(lab.settings()).isEqualTo(asFound);

      Files.writeString(
          file,
          Files.readString(file).replace("pairs: 3,", "pairs: 10,").replace(", observe: true", ""));
      Said run = measured(file);
      assertThat(lab.settings()).isEqualTo(asFound);
      Matcher answer = ANSWER.matcher(run.out());
      assertThat(answer.find()).as(run.out()).isTrue();
      assertThat(run.out()).contains("web-first", "batch-first");

      Path results = RunDirectory.newest(directory.resolve("runs")).orElseThrow().root();
      said("apply", results + "", "--profile", "web-first", "--yes");
      assertThat(lab.settings()).isNotEqualTo(asFound);
      said("restore", results + "");
      assertThat(lab.settings()).isEqualTo(asFound);
    }
  }
}
