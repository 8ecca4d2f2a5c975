package io.slicewise.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Watching.Login;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.ssh.SshLogin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logins of guests are read with their defaults, written, and refused with a sentence each. */
class LoginsTest {
  private static final String HEAD =
      """
      name: looking
      host: {address: dom0.example}
      domains: {main: [db], other: [web]}
      profiles: [as-found, {name: heavy, scheduler: credit, main: {weight: 512}}]
      workload: observe
      """;

  @TempDir private Path directory;

  private Experiment read(String rest) throws IOException {
    return ExperimentFiles.read(Files.writeString(directory.resolve("look.yaml"), HEAD + rest));
  }

  @Test
  void completesEachLoginFromTheDefaults() throws IOException {
    Experiment experiment =
        read(
            """
            logins:
              defaults: {user: slicewise, port: 2222}
              db: {address: db.example, service: postgresql@17-main, disks: [xvdb], port: 22}
              store: {address: store.example, storage: true}
            watch: {series: 1s, needed: [db, Domain-0]}
            """);

    Watching watching = experiment.watching();
    assertThat(watching.series()).contains(Duration.ofSeconds(1));
    assertThat(watching.needed()).containsExactly("db", "Domain-0");
    assertThat(watching.logins()).containsOnlyKeys("db", "store");
    assertThat(watching.logins().get("db"))
        .isEqualTo(
            new Login(
                Optional.of("db.example"),
                new SshLogin(
                    Optional.of("slicewise"),
                    OptionalInt.of(22),
                    Optional.empty(),
                    Optional.empty()),
                Optional.of("postgresql@17-main"),
                List.of("xvdb"),
                false));
    assertThat(watching.logins().get("store").ssh().port()).hasValue(2222);
    Path again = directory.resolve("again.yaml");
    Files.writeString(again, ExperimentFiles.toYaml(experiment));
    assertThat(ExperimentFiles.read(again).watching()).isEqualTo(watching);
  }

  @Test
  void nobodySignsInAnywhereByDefault() throws IOException {
    assertThat(read("").watching()).isEqualTo(Watching.NONE);
    assertThat(ExperimentFiles.toYaml(read(""))).doesNotContain("logins", "watch");
  }

  @Test
  void refusesEachBadLoginWithASentence() {
    assertThatThrownBy(
            () ->
                read(
                    """
                    logins:
                      dbx: {address: dbx.example}
                      Domain-0: {address: dom0.example}
                      web: {}
                      db: {address: db.example, pasword: x}
                    watch: {series: 1ms, needed: [mail]}
                    """))
        .isInstanceOf(SlicewiseException.class)
        .message()
        .contains(
            "look.yaml:7: login dbx is not among the domains, which are db, web; one that only"
                + " serves disks needs 'storage: true'",
            "look.yaml:8: login Domain-0 is the control domain, which is read through 'host'",
            "look.yaml:9: login web needs an 'address'",
            "look.yaml:10: unknown key 'pasword' of login db",
            "look.yaml:11: series 1ms",
            "look.yaml:11: watch needs mail, for which there is no login; known are ");
  }
}
