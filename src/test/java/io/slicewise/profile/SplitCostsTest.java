package io.slicewise.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects what an answer says of a split's price: the pCPUs that everyone else loses. */
class SplitCostsTest {
  @TempDir Path directory;

  @Test
  void namesTheProfilesThatTakeTheSamePcpusOnce() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("profiles.yaml"),
            """
            profiles:
              credit2: {scheduler: credit2, split: {Pool-0: {cpus: [2, 3], domains: [web, db]}}}
              rtds: {scheduler: rtds, split: {Pool-0: {cpus: 2-3, domains: [db, web]}}}
              one: {scheduler: "null", split: {Pool-0: {cpus: 3, domains: [web]}}}
              weight: {scheduler: credit, main: {weight: 512}}
            """);
    assertThat(Split.costs(ProfileFiles.read(file)))
        .containsExactly(
            "credit2, rtds take pCPUs 2-3 of Pool-0 from everyone in it but db, web",
            "one takes pCPUs 3 of Pool-0 from everyone in it but web");
  }

  @Test
  void saysNothingOfProfilesWithoutASplit() {
    assertThat(Split.costs(List.of(SchedulerProfile.AS_FOUND))).isEmpty();
  }
}
