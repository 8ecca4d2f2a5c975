package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.MeasuresInRealTime;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.run.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole way of docs/follow.md on the embedded lab: a sweep, a policy of it, following it. The
 * sweep is in virtual time, since a busy machine's numbers make no policy.
 */
@KeepsTheMachineBusy
@MeasuresInRealTime
@Tag("nightly")
class FollowCommandTest {
  private static final Path EXPERIMENTS =
      Path.of(System.getProperty("slicewise.home"), "experiments");

  @TempDir private Path directory;

  private String edited(String name, String... replacements) throws IOException {
    String text = Files.readString(EXPERIMENTS.resolve(name));
    for (int i = 0; i < replacements.length; i += 2) {
      assertThat(text).contains(replacements[i]);
      text = text.replace(replacements[i], replacements[i + 1]);
    }
    return Files.writeString(directory.resolve(name), text).toString();
  }

  private String results() {
    return directory.resolve("results").toString();
  }

  private RunDirectory newest() {
    return RunDirectory.newest(Path.of(results())).orElseThrow();
  }

  @Test
  void aSweepMakesAPolicyThatIsFollowedAndCompared() throws IOException {
    String sweep = edited("quiet-and-busy.yaml");
    assertThat(CommandLines.run("simulate", sweep, "--results", results()).exit())
        .isIn(CommandLines.measured(ExitCode.KEPT, ExitCode.UNDECIDED));
    String policy = directory.resolve("policy.yaml").toString();
    Said made = CommandLines.run("policy", newest().root().toString(), "-o", policy);
    assertThat(made.exit()).as(made.err()).isZero();
    assertThat(made.out()).startsWith("2 bands of requests/s").contains("apart", "long-slices");

    String text = Files.readString(Path.of(policy));
    Files.writeString(
        Path.of(policy),
        text.replaceAll("(?m)^stay: .*", "stay: 8s").replaceAll("(?m)^window: .*", "window: 8s"));
    String site = edited("quiet-and-busy-site.yaml", "time: 60s", "time: 25s");
    Said refused = CommandLines.run("follow", policy, site, "--results", results());
    assertThat(refused.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(refused.err()).contains("has no proof that following it is better than keeping");

    Said followed =
        CommandLines.run(
            "follow",
            policy,
            site,
            "--compare",
            "--compare-window",
            "45s",
            "--for",
            "110s",
            "--results",
            results());
    assertThat(followed.exit()).as(followed.err()).isZero();
    assertThat(followed.out())
        .startsWith("the host is restored and verified")
        .contains(
            "1 pair: geometric mean of response times",
            "next: slicewise policy --proof " + newest().root());
    assertThat(followed.err())
        .contains("so apart", "so long-slices", "1 pair: geometric mean of response times");
    Path run = newest().root();
    List<String> changes = Files.readAllLines(run.resolve("changes.csv"));
    assertThat(changes).hasSizeBetween(3, 7);
    Said proof = CommandLines.run("policy", "--proof", run.toString(), "-o", policy);
    assertThat(proof.err()).contains("does not show that the policy is better");
  }
}
