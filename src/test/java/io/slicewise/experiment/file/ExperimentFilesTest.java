package io.slicewise.experiment.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Defaults;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.experiment.Order;
import io.slicewise.experiment.Stop;
import io.slicewise.experiment.ValidityLimits;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Role;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.profile.Sedf;
import io.slicewise.workload.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An experiment file is checked as a whole: all faults at once, each with file, line, key, value
 * and rule; what is left out gets its default.
 */
class ExperimentFilesTest {
  private static final String SOUND =
      """
      name: shop
      host: {address: dom0.example}
      domains: {main: [web, db]}
      profiles:
        - as-found
        - name: heavy
          scheduler: credit
          main: {weight: 512}
      workload: {name: web-app, target: "http://web.example/"}
      users: [25, 50]
      """;

  @TempDir private Path directory;

  @Test
  void aUserAndAPortAreInTheAddressOrBesideIt() throws IOException {
    String address = "address: root@dom0.example";
    assertThat(read(SOUND.replace("address: dom0.example", address)).namedHost().address())
        .isEqualTo("root@dom0.example");
    assertThat(
            refused(SOUND.replace("address: dom0.example", address + ", user: bench")).getMessage())
        .contains("names another user than 'user' does: write it once");
    String port = "address: dom0.example:2222";
    assertThat(read(SOUND.replace("address: dom0.example", port)).namedHost().address())
        .isEqualTo("dom0.example:2222");
    assertThat(refused(SOUND.replace("address: dom0.example", port + ", port: 22")).getMessage())
        .contains("names another port than 'port' does: write it once");
    assertThat(refused(SOUND.replace("dom0.example", "dom0.example:ssh")).getMessage())
        .contains("must be [user@]host[:port], or an alias of ~/.ssh/config");
  }

  @Test
  void readsAWorkloadsOwnKeysAndTellsTheirFaultsWithTheirLines() throws IOException {
    String head =
        SOUND.replaceFirst("(?m)^workload.*\n", "").replace("users: [25, 50]", "users: 5");
    Experiment vps =
        read(
            head
                + """
                workload:
                  name: vps
                  guests:
                    - {name: VPS_1, target: http://one/, database-password-file: secret}
                """);
    assertThat(vps.workload().options().toString())
        .contains("http://one/", directory.resolve("secret").toString());

    assertThat(
            refused(
                    head
                        + """
                        workload:
                          name: vps
                          target: http://one/
                          guests:
                            - {name: VPS_1, tagret: http://one/}
                            - {name: VPS_2, target: ftp://two/, database: "jdbc:x://u:p@h/d"}
                          databsae: jdbc:x://y/z
                        """)
                .getMessage()
                .replaceAll("(?m)^.*shop.yaml:", ""))
        .contains(
            "12: target has no meaning: workload vps has none",
            "14: unknown key 'tagret' of guests; did you mean 'target'?",
            "14: 'target' of guests is missing: the URL of its page",
            "15: target ftp://two/ of guests must be a URL such as http://web.example:8080/index",
            "the database address contains a password",
            "16: unknown key 'databsae' of workload")
        .doesNotContain("workload.guests");
    assertThat(refused(head + "workload: vps\n").getMessage())
        .contains("workload vps needs 'guests': the private servers");
  }

  @Test
  void fillsEveryDefault() throws IOException {
    Experiment experiment = read(SOUND);
    assertThat(experiment.baseline()).isEqualTo("as-found");
    assertThat(experiment.repetitions()).isEqualTo(Defaults.REPETITIONS);
    assertThat(experiment.warmUp()).isEqualTo(Defaults.WARM_UP);
    assertThat(experiment.ramp()).isEqualTo(Defaults.RAMP);
    assertThat(experiment.limits()).isEqualTo(ValidityLimits.DEFAULT);
    assertThat(experiment.order()).isEqualTo(Order.BLOCKS);
    assertThat(experiment.domains())
        .containsEntry(Role.DOM0, List.of("Domain-0"))
        .containsEntry(Role.OTHER, List.of());
    assertThat(experiment.settings(experiment.profile("heavy")))
        .containsOnly(
            java.util.Map.entry("web", Credit.of(512, 0)),
            java.util.Map.entry("db", Credit.of(512, 0)));
    assertThat(experiment.settings(SchedulerProfile.AS_FOUND)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[gen1, {address: gen2, share: 2}]",
        "{machines: [gen1], each: true, data: same, samples: stay}",
        "{jmeter-servers: ['load1:1099', load2], keystore: rmi_keystore.jks, data: same}"
      })
  void generatorsAreReadBackAsWritten(String generators) throws IOException {
    Experiment experiment = read(SOUND + "generators: " + generators + "\n");
    assertThat(experiment.generators().isHere()).isFalse();
    assertThat(read(ExperimentFiles.toYaml(experiment))).isEqualTo(experiment);
  }

  @Test
  void runsTheBaselineTwiceAsAControlAndWritesItBack() throws IOException {
    Experiment experiment = read(SOUND + "baseline: heavy\ncontrols: [heavy-twice]\n");
    assertThat(experiment.controls()).containsExactly("heavy-twice");
    assertThat(experiment.profiles())
        .extracting(SchedulerProfile::name)
        .containsExactly("as-found", "heavy", "heavy-twice");
    assertThat(experiment.settings(experiment.profile("heavy-twice")))
        .isEqualTo(experiment.settings(experiment.profile("heavy")));
    assertThat(read(ExperimentFiles.toYaml(experiment))).isEqualTo(experiment);
  }

  @Test
  void refusesAControlThatIsNotTheBaseline() {
    assertThatThrownBy(() -> read(SOUND + "controls: [heavy-twice]\n"))
        .hasMessageContaining("controls heavy-twice is not one of as-found-twice");
  }

  @Test
  void readsWhenToStop() throws IOException {
    Experiment experiment = read(SOUND + "stop: {precision: 3%, within: {trials: 12, time: 8h}}\n");
    assertThat(experiment.stop())
        .contains(new Stop(0.03, Stop.Rule.TWO_STAGE, 12, Duration.ofHours(8)));
    assertThat(read(ExperimentFiles.toYaml(experiment))).isEqualTo(experiment);
  }

  @Test
  void refusesToStopWhereNothingCouldTellWhen() {
    String stop = "stop: {precision: 0%, within: {trials: 3}}\n";
    assertThatThrownBy(() -> read(SOUND + "order: as-written\n" + stop))
        .hasMessageContaining("must be between 0% and 100%")
        .hasMessageContaining("'time' of within is missing")
        .hasMessageContaining("trials 3 of within is below the 5 repetitions")
        .hasMessageContaining("stop adds whole blocks");
    assertThatThrownBy(() -> read(SOUND + "repetitions: 1\n" + stop))
        .hasMessageContaining("stop needs at least 2 repetitions");
  }

  @Test
  void cutsTheDefaultRampToAShorterWarmUp() throws IOException {
    assertThat(read(SOUND + "warm-up: 2s\n").ramp()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void takesProfilesFromFilesBesideTheExperiment() throws IOException {
    Files.writeString(
        directory.resolve("edf.yaml"),
        """
        profiles:
          sedf-2.5:
            scheduler: sedf
            dom0: {period: 10ms, slice: 2500us}
          sedf-w:
            scheduler: sedf
            domains: {web: {weight: 4}}
        """);
    Experiment experiment =
        read(SOUND.replace("- as-found", "- as-found\n  - {file: edf.yaml, only: [sedf-w]}"));
    assertThat(experiment.profiles())
        .extracting(SchedulerProfile::name)
        .containsExactly("as-found", "sedf-w", "heavy");
    assertThat(experiment.settings(experiment.profile("sedf-w")))
        .containsOnlyKeys("web")
        .containsValue(Sedf.of(Duration.ofMillis(100), Duration.ZERO, Duration.ZERO, true, 4));
  }

  @Test
  void loadsNobodyWhenItOnlyObserves() throws IOException {
    Experiment experiment =
        read(
            SOUND
                .replaceFirst("workload: .*", "workload: observe")
                .replaceFirst("users: .*\n", ""));
    assertThat(experiment.users()).containsExactly(0);
    assertThat(experiment.workload().loads()).isFalse();
  }

  @Test
  void runsOnThisMachine() throws IOException {
    Experiment experiment = read(SOUND.replaceFirst("host: .*", "host: local"));
    assertThat(experiment.host()).map(HostSpec::local).isEqualTo(Optional.of(true));
  }

  @Test
  void tellsAllFaultsOfAllFilesAtOnce() throws IOException {
    Files.writeString(
        directory.resolve("bad.yaml"),
        """
        profiles:
          strong:
            scheduler: credit
            domains:
              Apache_Server: {weight: 70000}
          tiny:
            scheduler: sedf
            dom0: {period: 5us, slice: 2}
        """);
    SlicewiseException faults =
        refused(
            """
            name: shop/1
            hots: {address: dom0.example}
            domains: {main: [Apache_Server]}
            profiles: [bad.yaml]
            workload: {name: web-ap, target: "http://u:p@web/"}
            users: [0, 25, 25]
            repetitions: none
            repetitions: 5
            measure: 30
            """);
    assertThat(faults.errorKind()).isEqualTo(ErrorKind.INPUT);
    assertThat(faults.getMessage().replace(directory + "/", "").lines())
        .containsExactly(
            "shop.yaml:1: name shop/1 must be 1 to 64 letters, digits, dots, dashes or"
                + " underscores, and begin with a letter or digit: it names a directory",
            "shop.yaml:1: 'host' is missing: set the host, or 'lab: {}' for the embedded one",
            "shop.yaml:2: unknown key 'hots'; did you mean 'host'?",
            "shop.yaml:5: name web-ap of workload is not one of "
                + String.join(", ", Workloads.names())
                + "; did you mean 'web-app'?",
            "shop.yaml:5: target http://***@web/ of workload must not contain a user or a password",
            "shop.yaml:6: users 0 is out of range 1..100000",
            "shop.yaml:6: users 25 is listed twice",
            "shop.yaml:7: repetitions none must be a whole number",
            "shop.yaml:8: key 'repetitions' is already defined in line 7",
            "shop.yaml:9: measure 30 needs a unit, as in 4000us, 20ms, 30s, 30m or 1h",
            "bad.yaml:5: weight 70000 of Apache_Server is out of range 1..65535",
            "bad.yaml:8: period 5us of dom0 is out of range 10us..10s",
            "bad.yaml:8: slice 2 of dom0 needs a unit, as in 4000us, 20ms, 30s, 30m or 1h");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "- as-found | - as-fuond | profile as-fuond is neither as-found nor a .yaml profile file",
        "- as-found | - none.yaml | none.yaml: there is no such file",
        "name: heavy | name: as-found | is reserved for the settings found",
        "name: heavy | name: a/b | it names a directory",
        "- as-found | \"- {name: HEAVY, scheduler: credit, main: {cap: 1}}\" | share a directory",
        "- as-found | \"- {name: heavy, scheduler: credit, main: {cap: 1}}\" | is listed twice",
        "main: {weight | mian: {weight | unknown key 'mian' of profiles; did you mean 'main'?",
        "main: {weight: 512} | domains: {wbe: {}} | sets wbe, which is not in 'domains'",
        "scheduler: credit | scheduler: bvt | is not one of credit, credit2, sedf, rtds",
        "weight: 512 | cap: -1 | cap -1 of main is out of range 0..409600",
        "weight: 512 | wieght: 512 | unknown key 'wieght' of main; did you mean 'weight'?",
        "[web, db] | [web, web] | main web of domains is listed twice",
        "[web, db] | [Domain-0] | is dom0, which always has its own role",
        "[web, db] | [web, -db] | -db of domains must not be empty, begin with a dash",
        "[web, db] | [web, disk sda] | begins as the name of a disk does",
        "dom0.example | 'dom0\\n\\nx' | must not contain a control character",
        "[25, 50] | [] | users must list at least one number",
        "users: | ramp: 2m\\nusers: | ramp 2m is longer than the warm-up of 1m",
        "users: | ramp: 500ms\\nusers: | ramp 500ms is not a whole number of seconds",
        "users: | baseline: best\\nusers: | baseline best is not one of as-found, heavy",
        "users: | limits: {errors: 0.5}\\nusers: | errors 0.5 of limits must be 0% to 100%",
        "users: | seed: *x\\nusers: | alias *x is not supported",
        "dom0.example | -oProxyCommand=x | must not begin with a dash",
        "{address: dom0.example} | {local: true, port: 22} | no meaning with 'local: true'",
        "\"{name: web-app, target: 'http://web.example/'}\" | plan | needs a 'plan'",
      })
  void refusesWithTheRule(String sound, String faulty, String rule) throws IOException {
    String text = SOUND.replace('"', '\'').replace(sound, faulty.replace("\\n", "\n"));
    assertThat(text).isNotEqualTo(SOUND.replace('"', '\''));
    assertThat(refused(text).getMessage()).contains(rule);
  }

  @ParameterizedTest
  @CsvSource({
    "'name: [a', 1, is not YAML",
    "'', 0, is empty",
    "'- a', 1, the file must be a map of keys and values",
  })
  void refusesWhatIsNoMap(String text, int line, String rule) throws IOException {
    assertThat(refused(text).getMessage())
        .contains(line == 0 ? "shop.yaml: " : "shop.yaml:" + line + ": ")
        .contains(rule);
  }

  private Experiment read(String text) throws IOException {
    return ExperimentFiles.read(Files.writeString(directory.resolve("shop.yaml"), text));
  }

  private SlicewiseException refused(String text) throws IOException {
    Path file = Files.writeString(directory.resolve("shop.yaml"), text);
    SlicewiseException thrown =
        catchThrowableOfType(SlicewiseException.class, () -> ExperimentFiles.read(file));
    assertThat(thrown).isNotNull();
    return thrown;
  }

  @Test
  void readsWhatItIsToFindOut() throws IOException {
    Experiment experiment =
        read(SOUND + "goal: p95<0.2s\nguard: {throughput: -5%, p99: 10%, errors: 0.5%}\n");
    assertThat(experiment.aim())
        .isEqualTo(
            new Aim(
                Optional.of(new Aim.Goal("p95", OptionalDouble.of(200))),
                Map.of("throughput", 0.05, "p99", 0.1, "errors", 0.005)));
    assertThat(ExperimentFiles.toYaml(experiment))
        .contains("goal: p95 < 200ms", "errors: 0.5%", "p99: +10%", "throughput: -5%");
    assertThat(read(SOUND + "goal: highest throughput\n").aim().goal())
        .hasValue(new Aim.Goal("throughput", OptionalDouble.empty()));
  }

  @Test
  void aimsAtDomainsEvenWhereNothingIsLoaded() throws IOException {
    String guard = "guard: {run share of dom0: -5%, wait share of web: +10%}\n";
    Experiment experiment = read(SOUND + "goal: lowest wait share of web\n" + guard);
    assertThat(experiment.aim().goal())
        .hasValue(new Aim.Goal("wait share of web", true, OptionalDouble.empty()));
    assertThat(experiment.aim().guard())
        .isEqualTo(Map.of("run share of Domain-0", 0.05, "wait share of web", 0.1));
    assertThat(read(ExperimentFiles.toYaml(experiment))).isEqualTo(experiment);
    assertThatThrownBy(
            () -> read(SOUND + "goal: lowest wait share of www\nguard: {wait share of web: -5%}\n"))
        .hasMessageContaining("goal names www, which is not in 'domains'; it lists Domain-0, ")
        .hasMessageContaining("must be a change below 100 % such as +5%");
  }

  @Test
  void refusesAimsThatNobodyCanMean() {
    String aim = "goal: p95 > 200ms\nguard: {throughput: +5%, p95: -5%, latency: 5%}\n";
    assertThatThrownBy(() -> read(SOUND + aim))
        .hasMessageContaining("goal p95 > 200ms is not a goal such as 'p95 < 200ms'")
        .hasMessageContaining("throughput +5% of guard must be a change below 100 % such as -5%")
        .hasMessageContaining("p95 -5% of guard must be a change below 100 % such as +5%")
        .hasMessageContaining(
            "guard latency is not one of throughput, mean, p50, p95, p99, errors, ");
  }
}
