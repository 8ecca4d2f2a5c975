package io.slicewise.sweep.preflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.load.access.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ten seconds of a site's log show whether it is understood, before any setting changes. */
class TrafficCheckTest {
  @TempDir private Path directory;

  private List<String> said(Path log, String format) throws IOException {
    return WorkloadCheck.check(
            ExperimentFiles.read(
                Files.writeString(
                    directory.resolve("site.yaml"),
                    """
                    name: site
                    host: {local: true}
                    domains: {main: [guest]}
                    profiles: [as-found]
                    workload: {name: traffic, log: {path: %s, format: %s}}
                    """
                        .formatted(log, format))))
        .stream()
        .map(Object::toString)
        .toList();
  }

  @Test
  void showsWhatItUnderstands() throws IOException {
    assumeTrue(Site.canBeBuilt(), "nginx is not installed");
    try (Site site = Site.open(directory.resolve("site"), 60)) {
      assertThat(said(site.log(), "nginx"))
          .anySatisfy(
              said -> assertThat(said).contains(" requests/s, mean ", " 0 lines not understood"))
          .anySatisfy(said -> assertThat(said).contains("the clock of the log's machine is "));
    }
  }

  @Test
  void showsALineThatIsNotUnderstood() throws IOException {
    assumeTrue(Site.canBeBuilt(), "nginx is not installed");
    try (Site site = Site.open(directory.resolve("site"), 60)) {
      assertThat(said(site.log(), "caddy"))
          .anySatisfy(
              said -> assertThat(said).contains("lines are not of format caddy, such as '"));
    }
  }

  @Test
  void namesALogThatIsNotThere() throws IOException {
    assertThat(said(directory.resolve("none"), "nginx"))
        .singleElement()
        .satisfies(said -> assertThat(said).contains("localhost has no file "));
  }
}
