package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HostDescription.CpuPool;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.HypervisorKind;
import io.slicewise.host.HypervisorKind.SettingCommands;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.Hypervisors;
import io.slicewise.host.Target;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Role;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.SweepListener;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.result.TrialResult;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.Shells;
import io.slicewise.sweep.guard.SettingsGuard;
import io.slicewise.sweep.guard.SweepOptions;
import io.slicewise.sweep.preflight.CheckResult;
import io.slicewise.sweep.preflight.Preflight;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A hypervisor needs one class and one line to be swept: this one has two domains, whose weights
 * are the targets of symbolic links on this machine, and no Xen.
 */
@ResourceLock("/var/run/slicewise.lock")
@Tag("lab")
class OtherHypervisorTest {
  @TempDir static Path links;

  /** The whole hypervisor. */
  public record Links(RemoteShell shell) implements HypervisorKind, Hypervisor {
    private static final int NOT_LIVE = 4096;
    private static final HypervisorVersion VERSION = HypervisorVersion.of(1, 0);

    public Links() {
      this(Shells.local());
    }

    @Override
    public String product() {
      return "Links";
    }

    @Override
    public List<String> toolstacks() {
      return List.of("readlink");
    }

    @Override
    public Hypervisor probe(RemoteShell host, boolean sudo, Optional<String> toolstack) {
      return new Links(host);
    }

    @Override
    public SettingCommands commands(String toolstack, HypervisorVersion version, boolean sudo) {
      return (domain, wanted) -> List.of(set(domain, wanted));
    }

    @Override
    public HypervisorVersion usualVersion(String toolstack) {
      return VERSION;
    }

    @Override
    public HypervisorKind kind() {
      return this;
    }

    @Override
    public HostDescription describe() {
      CpuPool all = new CpuPool("all", 1, "credit", 2);
      return new HostDescription("readlink", VERSION, "", 1, Double.NaN, "credit", List.of(all));
    }

    @Override
    public List<Domain> domains() {
      return List.of(new Domain("web", 1, 1, 0, "all"), new Domain("db", 2, 1, 0, "all"));
    }

    @Override
    public List<Setting> settings() {
      return domains().stream().map(domain -> new Setting(domain, read(domain))).toList();
    }

    @Override
    public List<Command> commandsFor(
        Target target, SchedulerParameters current, SchedulerParameters wanted) {
      return wanted.equals(current) ? List.of() : List.of(set(target.name(), wanted));
    }

    @Override
    public boolean switchesLive(SchedulerParameters from, SchedulerParameters to) {
      return to.get(Credit.WEIGHT) < NOT_LIVE;
    }

    @Override
    public List<Applied> apply(List<Setting> wanted, Map<String, SchedulerParameters> expected) {
      wanted.forEach(one -> shell.run(set(one.target().name(), one.parameters())));
      return wanted.stream().map(this::readBack).toList();
    }

    private Applied readBack(Setting asked) {
      SchedulerParameters read = read(asked.target());
      return new Applied(asked.target(), asked.parameters(), read, shows(asked.parameters(), read));
    }

    private SchedulerParameters read(Target domain) {
      Command command = Command.reading("readlink", links.resolve(domain.name()).toString());
      return Credit.of(Integer.parseInt(shell.run(command).standardOutput().strip()), 0);
    }

    private static Command set(String domain, SchedulerParameters wanted) {
      String weight = Integer.toString(wanted.get(Credit.WEIGHT));
      return Command.changing("ln", "-sfn", weight, links.resolve(domain).toString());
    }
  }

  private static final String EXPERIMENT =
      """
      name: links
      host: {local: true, toolstack: readlink}
      domains: {main: [web], other: [db]}
      workload: observe
      repetitions: 1
      warm-up: 0s
      ramp: 0s
      measure: 1s
      cool-down: 0s
      profiles:
        - as-found
        - {name: w512, scheduler: credit, domains: {web: {weight: 512}}}
      """;

  @TempDir private Path directory;
  private ClassLoader before;

  /** Lists the hypervisor as its jar would. */
  @BeforeEach
  void install() throws IOException {
    Path services = Files.createDirectories(directory.resolve("jar/META-INF/services"));
    Files.writeString(services.resolve(HypervisorKind.class.getName()), Links.class.getName());
    URL[] jar = {directory.resolve("jar").toUri().toURL()};
    before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(new URLClassLoader(jar, before));
    for (String domain : List.of("web", "db")) {
      Files.deleteIfExists(links.resolve(domain));
      Files.createSymbolicLink(links.resolve(domain), Path.of("256"));
    }
  }

  @AfterEach
  void uninstall() throws IOException {
    ((URLClassLoader) Thread.currentThread().getContextClassLoader()).close();
    Thread.currentThread().setContextClassLoader(before);
  }

  private Experiment experiment() throws IOException {
    return ExperimentFiles.read(
        Files.writeString(directory.resolve("experiment.yaml"), EXPERIMENT));
  }

  private static String weight(String domain) {
    try {
      return Files.readSymbolicLink(links.resolve(domain)).toString();
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  void isSweptAndLeftAsFound() throws IOException {
    assumeTrue(Files.isWritable(Path.of("/var/run")), "the lock on a host lies in /var/run");
    List<String> measured = new ArrayList<>();
    SweepListener listener =
        LocalSweep.atEachStep(
            (trial, step) -> {
              if (step == SweepListener.Step.MEASURE) {
                measured.add(trial.profile() + " " + weight("web") + " " + weight("db"));
              }
            });
    Sweep sweep =
        LocalSweep.of(experiment())
            .with(new SweepOptions(true, Duration.ofSeconds(5)))
            .with(listener)
            .begin(directory.resolve("results"));
    assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
    assertThat(measured).containsExactlyInAnyOrder("as-found 256 256", "w512 512 256");
    assertThat(List.of(weight("web"), weight("db"))).containsOnly("256");
    assertThat(sweep.run().results()).hasSize(2).allMatch(TrialResult::valid);
    assertThat(sweep.run().environments().get(0).host().hypervisor()).isEqualTo("Links 1.0");
  }

  @Test
  void decidesWhichSettingsItSwitchesLive() throws IOException {
    Hypervisor links = new Links();
    String heavy = "        - {name: heavy, scheduler: credit, domains: {web: {weight: 4096}}}\n";
    Experiment experiment =
        ExperimentFiles.read(
            Files.writeString(
                directory.resolve("experiment.yaml"),
                EXPERIMENT + heavy.replace("        ", "  ")));
    List<Boolean> waits =
        experiment.profiles().stream()
            .map(one -> SettingsGuard.missingScheduler(links, experiment, one, links.settings()))
            .map(Optional::isPresent)
            .toList();
    assertThat(waits).containsExactly(false, false, true);
  }

  @Test
  void isCheckedBeforeARunInItsOwnWords() throws IOException {
    Experiment experiment = experiment();
    assertThat(experiment.domains().get(Role.DOM0)).isEmpty();
    List<CheckResult> findings = Preflight.examine(experiment, directory);
    assertThat(Preflight.blocks(findings)).as("%s", findings).isFalse();
    assertThat(findings.toString())
        .contains("Links 1.0 through readlink, 1 pCPU")
        .doesNotContain("Xen", "xen", "xl ");
  }

  /** Where nobody says which toolstack a host has, it is found behind those that it lacks. */
  @Test
  void isFoundByProbing() {
    assertThat(Hypervisors.toolstacks())
        .containsExactly("xl", "xm", "virsh", "none", "cgroup", "readlink");
    Hypervisor found = Hypervisors.probe(Shells.local(), false, Optional.empty(), Optional.empty());
    assertThat(found.kind().product()).isEqualTo("Links");
    assertThat(Hypervisors.controlDomain(Optional.of("readlink"))).isEmpty();
    assertThat(Hypervisors.controlDomain(Optional.empty())).contains("Domain-0");
  }
}
