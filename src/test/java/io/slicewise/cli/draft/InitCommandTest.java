package io.slicewise.cli.draft;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.cli.CommandLines;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.workload.WorkloadType;
import io.slicewise.workload.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What init writes is an experiment that plan accepts, and tells all that can be said. */
class InitCommandTest {
  @TempDir private Path directory;

  static Stream<String> workloads() {
    return drafted().map(WorkloadType::name);
  }

  private static Stream<WorkloadType> drafted() {
    return Workloads.types().stream().filter(type -> type.plan() != WorkloadType.Need.MUST);
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void writesAnExperimentThatPlanAcceptsForEveryWorkload(String name) throws IOException {
    Path file = directory.resolve(name + ".yaml");
    Said said = CommandLines.run("init", name, "-o", file.toString());
    assertThat(said.exit()).as(said.err()).isZero();
    Experiment experiment = ExperimentFiles.read(file);
    assertThat(experiment.workload().name()).isEqualTo(name);
    WorkloadType type = Workloads.type(name).orElseThrow();
    assertThat(Files.readString(file)).contains(type.summary(), type.mainDomains());
    assertThat(type.options())
        .allSatisfy(
            option ->
                assertThat(Files.readString(file)).contains(option.name() + ": ", option.about()));
  }

  @Test
  void printsTheLineThatTheServerOfASiteNeeds() throws IOException {
    Path file = directory.resolve("site.yaml");
    Said said =
        CommandLines.run(
            "init",
            "traffic",
            "--host",
            "kvm1",
            "--hypervisor",
            "libvirt",
            "--log",
            "/srv/a log",
            "--format",
            "apache",
            "-o",
            file.toString());
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(said.out()).contains("LogFormat \"%{begin:usec}t", "CustomLog /srv/a log slicewise");
    Experiment experiment = ExperimentFiles.read(file);
    // The guard is ready 30 s after the ramp.
    assertThat(experiment.warmUp().minus(experiment.ramp())).hasSeconds(40);
    assertThat(experiment.workload().options().get("log"))
        .asString()
        .contains("path=/srv/a log", "format=apache");
    assertThat(experiment.host().orElseThrow().deadMan()).isPresent();
    assertThat(CommandLines.run("init", "web-app", "--log", "/srv/log").err())
        .contains("belong to the workload traffic");
  }

  @ParameterizedTest
  @CsvSource({"overhead, tpch, 22", "interference, tpcb, 8"})
  void writesAnExperimentThatPlanAcceptsForEveryStudy(String study, String workload, int cells)
      throws IOException {
    Path file = directory.resolve(study + ".yaml");
    Said said = CommandLines.run("init", study, "--host", "dom0", "-o", file.toString());
    assertThat(said.exit()).as(said.err()).isZero();
    Experiment experiment = ExperimentFiles.read(file);
    assertThat(experiment.workload().name()).isEqualTo(workload);
    assertThat(experiment.cells()).isEqualTo(cells);
    Said plan = CommandLines.run("plan", "--offline", file.toString());
    assertThat(plan.exit()).as(plan.err()).isZero();
    assertThat(plan.out()).contains(study, "x %d loads = %d cells".formatted(cells, cells));
  }

  /**
   * Every workload and study that init offers, on both hypervisors where it can be; a site's own
   * traffic is not on the lab.
   */
  static Stream<Arguments> onLab() {
    return Stream.concat(
        drafted()
            .filter(type -> !type.live())
            .map(WorkloadType::name)
            .flatMap(name -> Stream.of("xen", "libvirt").map(kind -> Arguments.of(name, kind))),
        Stream.of(
            Arguments.of("overhead", "xen"),
            Arguments.of("overhead", "none"),
            Arguments.of("interference", "xen")));
  }

  @ParameterizedTest
  @MethodSource("onLab")
  void itsLabHasTheSchedulerAndTheGuestsThatItNames(String name, String kind) {
    Path file = drafted(name, kind);
    Said plan = CommandLines.run("plan", file.toString());
    assertThat(plan.exit()).as(plan.out() + plan.err()).isZero();
    assertThat(plan.out()).doesNotContain("Stops", "reboot", " needs ", "not contacted");
  }

  @ParameterizedTest
  @CsvSource({
    "web-app, none, has no settings to compare",
    "interference, none, has no neighbours",
    "overhead, libvirt, let nobody in"
  })
  void refusesAHypervisorThatCannotBe(String name, String kind, String sentence) {
    Said said = CommandLines.run("init", name, "--hypervisor", kind);
    assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(said.out()).isEmpty();
    assertThat(said.err()).contains(sentence, "leave --hypervisor out");
  }

  @Test
  void theBareMachinesStudyDiffersFromTheGuestsInItsHostAlone() {
    String bare =
        CommandLines.run("init", "overhead", "--hypervisor", "none", "--host", "db1").out();
    assertThat(bare)
        .contains("address: db1", "hypervisor: none", "[base]")
        .doesNotContain("logins");
    String guest = CommandLines.run("init", "overhead", "--host", "db1").out();
    String workload = "(?s).*(  scale.*)#  cold.*";
    assertThat(bare.replaceFirst(workload, "$1")).isEqualTo(guest.replaceFirst(workload, "$1"));
  }

  @Tag("nightly")
  @ParameterizedTest
  @MethodSource("onLab")
  void doctorFindsNothingThatBlocks(String name, String kind) {
    Said doctor = CommandLines.run("doctor", drafted(name, kind).toString());
    assertThat(doctor.exit()).as(doctor.out() + doctor.err()).isZero();
  }

  @Tag("nightly")
  @Test
  void runsOnItsLab() throws IOException {
    Path file = drafted("web-app", "xen");
    String quick =
        Files.readString(file)
            .replace("users: [10, 25]", "users: 2")
            .replace("repetitions: 8", "repetitions: 1")
            .replace("warm-up: 5s", "warm-up: 1s")
            .replace("measure: 20s", "measure: 2s")
            .replace("50ms", "9s");
    Files.writeString(file, quick);
    String results = directory.resolve("results").toString();
    Said run = CommandLines.run("run", "--anyway", file.toString(), "--results", results);
    assertThat(run.out().replaceAll("\\s+", " ")).as(run.err()).contains("(2 of 2 trials", "heavy");
  }

  @Test
  void aPlanThatNamesItsServerIsNotSaidToRunOnTheLab() throws IOException {
    Path plan = directory.resolve("aws.jmx");
    Path shipped =
        Path.of(System.getProperty("slicewise.home")).resolve("jmeter-plans").resolve("page.jmx");
    Files.writeString(
        plan,
        Files.readString(shipped)
            .replaceAll("(\"HTTPSampler.domain\">)[^<]*<", "$1" + "shop.example" + "<"));
    String file = directory.resolve("aws.yaml").toString();
    Said said = CommandLines.run("init", plan.toString(), "-o", file);
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(said.out())
        .contains("the plan loads shop.example, not the lab", "slicewise plan " + file)
        .doesNotContain("runs it on the embedded lab");
  }

  private Path drafted(String name, String kind) {
    Path file = directory.resolve(name + "-" + kind + ".yaml");
    String[] init = {"init", name, "--hypervisor", kind, "-o", file.toString()};
    Said said = CommandLines.run(init);
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(said.out()).contains("slicewise run " + file + " runs it on the embedded lab");
    return file;
  }

  /** A property that an option sets is no choice, and a password does not belong into a file. */
  @Test
  void offersNoPropertiesThatTheWorkloadSetsItself() {
    String text = CommandLines.run("init", "tpch").out();
    assertThat(text.substring(text.indexOf("# properties:")))
        .contains("q01-delta: 90", "think-time: 0")
        .doesNotContain("database", "schema", "queries:", "passes", "connection:", "q01-rows");
    assertThat(text).contains("# within: 10m ").doesNotContain("within: guest");
  }

  @Test
  void everyCommentedKeyCanBeUncommented() throws IOException {
    Path file = directory.resolve("all.yaml");
    String text = CommandLines.run("init", "web-app", "--host", "dom0").out();
    Files.writeString(
        file,
        text.substring(0, text.indexOf("workload:"))
            + text.substring(text.indexOf("workload:")).replaceAll("(?m)^#( +[a-z0-9-]+:)", " $1"));
    Experiment experiment = ExperimentFiles.read(file);
    assertThat(experiment.workload().options()).containsKeys("database", "database-user");
    assertThat(experiment.workload().properties()).containsEntry("think-time", "0");
  }

  @Test
  void wrapsAPlanOfOnesOwnWithThePropertiesItReads() throws IOException {
    Path plan = Files.createDirectory(directory.resolve("plans")).resolve("my shop.jmx");
    Files.writeString(
        plan, "<a>${__P(users,1)} ${__P(host)} ${__P(basket,3)} ${__P(flag,true)}</a>");
    Path file = directory.resolve("shop.yaml");

    assertThat(CommandLines.run("init", plan.toString(), "-o", file.toString()).exit()).isZero();

    assertThat(Files.readString(file))
        .contains("name: my-shop\n", "  plan: \"plans/my shop.jmx\"\n")
        .contains("#   basket: 3\n", "#   flag: \"true\"\n")
        .doesNotContain("#   users", "#   host");
    assertThat(ExperimentFiles.read(file).workload().plan())
        .hasValueSatisfying(path -> assertThat(path).isRegularFile());
  }

  @Test
  void aPlanOnStandardOutputIsFoundWhereverTheExperimentIsSavedAndRunsOnTheLab()
      throws IOException {
    Path plan =
        Files.writeString(directory.resolve("shop.jmx"), "<a>${__P(users,1)} ${__P(host)}</a>");
    Path elsewhere = Files.createDirectories(directory.resolve("far/away")).resolve("shop.yaml");
    String text = CommandLines.run("init", plan.toString()).out();
    Experiment experiment = ExperimentFiles.read(Files.writeString(elsewhere, text));
    assertThat(experiment.workload().plan()).contains(plan.toAbsolutePath());
    assertThat(experiment.lab()).isPresent();
    assertThat(text).doesNotContain("not the lab's");
  }

  @Test
  void everyFurtherKeyCanBeUncommented() throws IOException {
    String text = CommandLines.run("init", "web-app").out();
    List<String> keys =
        Stream.of(
                "baseline",
                "controls",
                "goal",
                "guard",
                "stop",
                "design",
                "order",
                "seed",
                "cool-down")
            .toList();
    for (String key : keys) {
      String changed = text.replaceFirst("(?m)^# (" + key + ": )", "$1");
      assertThat(changed).as(key).isNotEqualTo(text);
      if (key.equals("design")) {
        changed = changed.replaceAll("(?m)^(repetitions|measure):.*\n", "");
      }
      Path file = Files.writeString(directory.resolve(key + ".yaml"), changed);
      assertThat(ExperimentFiles.read(file).name()).isEqualTo("web-app");
    }
  }

  @Test
  void itsRepetitionsDetectAChangeOfTenPercent() throws IOException {
    Path file = drafted("web-app", "xen");
    assertThat(CommandLines.run("plan", "--offline", file.toString()).out().replaceAll("\\s+", " "))
        .containsPattern("8 blocks detect changes >= 9\\.\\d %");
  }

  @Test
  void planPutsWhatStopsTheRunFirst() throws IOException {
    Path file = drafted("web-app", "xen");
    String text = Files.readString(file);
    Files.writeString(file, text.replace("Apache_Server", "Apache_Servr"));
    Said plan = CommandLines.run("plan", file.toString());
    assertThat(plan.out().lines().findFirst())
        .hasValueSatisfying(line -> assertThat(line).contains("Stops", "Apache_Servr"));
  }

  @Test
  void saysWhenAPlanWouldLoadTheSameWhateverIsAsked() throws IOException {
    Path plan = Files.writeString(directory.resolve("fixed.jmx"), "<a>${__P(host)}</a>");
    assertThat(CommandLines.run("init", plan.toString()).out())
        .contains("The plan does not read the property users");
    String group =
        "<a><ThreadGroup testclass='ThreadGroup' testname='g'>"
            + "<intProp name='LoopController.loops'>1</intProp></ThreadGroup></a>";
    assertThat(CommandLines.run("init", Files.writeString(plan, group).toString()).out())
        .contains(
            "# ThreadGroup 'g' ends each user after 1 pass:\n# set the loop count to Infinite");
    String brief =
        group
            .replace(">1<", ">-1<")
            .replace(
                "</Th",
                "<a name='ThreadGroup.scheduler'>true</a><a name='ThreadGroup.duration'>24</a></Th");
    assertThat(CommandLines.run("init", Files.writeString(plan, brief).toString()).out())
        .contains("# ThreadGroup 'g' ends its users after 24 s, and a load may take 25s:");
  }

  @Test
  void neverWritesOverAFile() throws IOException {
    Path file = Files.writeString(directory.resolve("mine.yaml"), "mine");
    Said said = CommandLines.run("init", "web-app", "-o", file.toString());
    assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(said.err()).contains("already exists and was not changed");
    assertThat(file).hasContent("mine");
  }

  @Test
  void refusesWhatIsNeitherAPlanNorAWorkload() {
    assertThat(CommandLines.run("init", "overhaed").err())
        .contains("nor a study; did you mean 'overhead'?");
    assertThat(CommandLines.run("init", "web").err())
        .contains("'web' is neither a plan (a .jmx file) nor a workload");
    assertThat(CommandLines.run("init", "plan").err()).contains("slicewise init YOURS.jmx");
    assertThat(CommandLines.run("init", "none.jmx").exit()).isEqualTo(ExitCode.USAGE.code());
  }
}
