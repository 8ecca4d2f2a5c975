package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.cli.CommandLines;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.run.RunDirectory;
import io.slicewise.sweep.policy.Policy;
import io.slicewise.sweep.policy.PolicyFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From a sweep over users to a policy, and what {@code follow} refuses of it. */
class PolicyCommandTest {
  private static final String SWEEP =
      """
      name: shop
      host: {address: dom0.example}
      domains: {main: [web, files, db]}
      profiles:
        - {name: even, scheduler: credit, main: {weight: 256}}
        - {name: capped, scheduler: credit, domains: {web: {weight: 256, cap: 40}}}
      baseline: %s
      workload: {name: web-app, target: "http://web.example/"}
      users: [2, 20]
      repetitions: 4
      ramp: 1s
      warm-up: 2s
      measure: 20s
      """;

  @TempDir Path directory;

  private RunDirectory simulated(String baseline) throws IOException {
    Path file = directory.resolve("shop.yaml");
    Files.writeString(file, SWEEP.formatted(baseline));
    Path results = directory.resolve("results");
    CommandLines.run("simulate", file.toString(), "--results", results.toString(), "--quiet");
    return RunDirectory.newest(results).orElseThrow();
  }

  private Said policy(RunDirectory run) {
    return CommandLines.run("policy", run.root().toString(), "--output", file().toString());
  }

  private Path file() {
    return directory.resolve("policy.yaml");
  }

  @Test
  void keepsTheBaselineThatNothingBeats() throws IOException {
    RunDirectory run = simulated("even");
    Said said = policy(run);

    assertThat(said.exit()).isEqualTo(ExitCode.KEPT.code());
    assertThat(said.out()).startsWith("Keep one setting, even: no load is shown to need another");
    assertThat(said.out())
        .containsPattern("differences found with a probability of 80 %: [0-9.]+ % at [0-9]+ users");
    Policy policy = PolicyFile.read(file());
    assertThat(policy.isFixed()).isTrue();
    assertThat(policy.basis().host()).isEmpty();
    assertThat(policy.basis().runs()).containsExactly(run.name());
    Said again = policy(run);
    assertThat(again.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(again.err()).contains("policy.yaml exists");
    Said followed = CommandLines.run("follow", file().toString(), file().toString());
    assertThat(followed.err()).contains("policy shop has one band: there is nothing to follow");
  }

  @Test
  void namesTheOneSettingThatIsBetterAtEveryLoad() throws IOException {
    Said said = policy(simulated("capped"));

    assertThat(said.exit()).isEqualTo(ExitCode.OK.code());
    assertThat(said.out()).startsWith("Keep one setting, even");
    assertThat(said.out()).contains("against capped (95 % intervals)");
  }

  @Test
  void refusesToFollowWithoutAProof() throws IOException {
    policy(simulated("even"));
    String text = Files.readString(file());
    Files.writeString(
        file(),
        text.replace("- from: 0.0\n", "- from: 0.0\n  to: 9.0\n")
            .replace(
                "profiles:\n",
                "- from: 9.0\n  measured: {from: 9, to: 10}\n  profile: capped\nprofiles:\n"));
    Said said = CommandLines.run("follow", file().toString(), "site.yaml");

    assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(said.err())
        .contains("policy shop has no proof that following it is better than keeping even");
  }

  @Test
  void refusesARunWithoutThatLoad() throws IOException {
    Said said =
        CommandLines.run(
            "policy", simulated("even").root().toString(), "--by", "run share of disk");

    assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(said.err()).contains("did not measure run share of disk");
  }
}
