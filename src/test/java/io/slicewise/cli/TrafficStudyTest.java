package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.MeasuresInRealTime;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabGuest;
import io.slicewise.lab.LabOptions;
import io.slicewise.load.access.Site;
import io.slicewise.profile.Scheduler;
import java.nio.file.Path;
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
  @TempDir private Path directory;

  static Lab lab() {
    return Lab.start(
        LabOptions.defaults()
            .withScheduler(Scheduler.CREDIT)
            .withGuests(
                LabGuest.of("Apache_Server", 1),
                LabGuest.of("NFS_Server", 2),
                LabGuest.of("MySQL_Server", 2),
                LabGuest.burning("Batch", 4)));
  }

  @Test
  void fromTheFirstFileToSettingsThatServeTheUsersBetter() throws Exception {
    assumeTrue(Site.canBeBuilt(), "nginx is not installed");
    try (Lab lab = lab();
        Site site = Site.before(lab.target().orElseThrow(), directory.resolve("site"), 28)) {
      LiveStudy study = LiveStudy.drafted(lab, directory, "traffic", "--log", site.log() + "");
      study.enter(
          "Apache_Server, NFS_Server, MySQL_Server",
          "name: web-first, scheduler: credit, main: {weight: 1024}, other: {cap: 100}",
          "name: batch-first, scheduler: credit, other: {weight: 2048}");
      study.edit("format: nginx}", "format: nginx, machine: local}");
      study.edit(
          "observe: true}",
          "window: 3s, wash-out: 1s, at-most: {pairs: 3, time: 10m}, observe: true}");
      study.edit("warm-up: 40s", "warm-up: 5s");
      Said doctor = CommandLines.run("doctor", study.file() + "");
      assertThat(doctor.out()).as(doctor.err()).contains("requests/s", "0 lines not understood");
      assertThat(study.said("plan", study.file() + "", "--traffic", site.log() + "").out())
          .contains("requests in", "0 lines not understood");
      assertThat(study.compare(10)).contains("web-first", "batch-first");
      study.applyAndRestore("--profile", "web-first");
    }
  }
}
