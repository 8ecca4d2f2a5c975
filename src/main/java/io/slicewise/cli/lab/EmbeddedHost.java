package io.slicewise.cli.lab;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.YamlWriter;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Generators;
import io.slicewise.experiment.Generators.GeneratorSpec;
import io.slicewise.experiment.HostSpec;
import io.slicewise.experiment.HostSpec.HostLimits;
import io.slicewise.experiment.Watching;
import io.slicewise.experiment.Watching.Login;
import io.slicewise.experiment.WorkloadSpec;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.host.HypervisorKind;
import io.slicewise.lab.GuestLogins;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.LabParts;
import io.slicewise.lab.daemon.LabMachine;
import io.slicewise.lab.guest.Scene;
import io.slicewise.lab.guest.Scenes;
import io.slicewise.lab.guest.TilesScene;
import io.slicewise.profile.Role;
import io.slicewise.profile.Scheduler;
import io.slicewise.ssh.SshLogin;
import io.slicewise.workload.tiles.Tile;
import io.slicewise.workload.tiles.Tiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.commons.io.FileUtils;

/**
 * The embedded lab of an experiment with {@code lab:}, if it has one. The rest of the program
 * treats it as a host with an address, a port and a key.
 *
 * <p>Its address and target always replace those in the experiment: the ones in a run directory
 * belong to the lab of the process that began the run.
 */
public final class EmbeddedHost implements AutoCloseable {
  private static final String WORKING_SET = "working-set";
  private static final String COLD = "cold";

  private final Optional<Lab> lab;
  private final Optional<LabGenerators> generators;
  private final Experiment experiment;

  private EmbeddedHost(
      Optional<Lab> lab, Optional<LabGenerators> generators, Experiment experiment) {
    this.lab = lab;
    this.generators = generators;
    this.experiment = experiment;
  }

  /** Returns an experiment, which may have an embedded lab. */
  public static Experiment read(Path file) {
    return ExperimentFiles.read(file, LabOptions.keys());
  }

  /** Returns whether this installation has a lab: a package of its own. */
  public static boolean isInstalled() {
    return LabParts.areInstalled();
  }

  /** Returns the names of the guests that the lab has for a workload, in order. */
  public static List<String> guests(String workload) {
    return List.copyOf(scene(workload).guests().keySet());
  }

  public static EmbeddedHost forExperiment(Experiment written) {
    WorkloadSpec workload = written.workload();
    return start(written, workload.loads() || !workload.outcomes().isEmpty());
  }

  /** Starts a lab without servers, which is faster and enough for reading the host. */
  public static EmbeddedHost toLookAt(Experiment written) {
    return start(written, false);
  }

  private static EmbeddedHost start(Experiment written, boolean loaded) {
    if (written.lab().isEmpty()) {
      return new EmbeddedHost(Optional.empty(), Optional.empty(), written);
    }
    LabParts.require();
    Lab lab =
        Lab.start(LabOptions.from(lab(written), scene(written.workload())).withServers(loaded));
    Experiment placed = written.onHost(host(lab), watching(written.watching(), lab));
    WorkloadSpec aimed = written.workload().aimedAt(lab.target(), options(written, lab));
    LabGenerators generators = LabGenerators.start(written.generators());
    return new EmbeddedHost(
        Optional.of(lab),
        Optional.of(generators),
        placed.withWorkload(aimed).generatedBy(generators.reachable()));
  }

  /** A database whose size is a multiple of the guest's memory is that large on the disk, too. */
  private static Map<String, Object> lab(Experiment written) {
    Map<String, Object> options = new LinkedHashMap<>(written.lab().orElseThrow());
    if (options.get("disk") instanceof Map<?, ?> disk
        && !disk.containsKey(WORKING_SET)
        && written.workload().options().get("memory") instanceof String multiple) {
      Map<Object, Object> sized = new LinkedHashMap<>(disk);
      sized.put(WORKING_SET, Double.valueOf(multiple.replace("x", "")));
      options.put("disk", sized);
    }
    return options;
  }

  /** Returns the places of the lab's servers; its own steps replace those of a cold start. */
  private static Map<String, Object> options(Experiment written, Lab lab) {
    Map<String, Object> options = new LinkedHashMap<>(lab.workloadOptions());
    if (written.workload().isTiled()) {
      return Map.of(Tiles.TILES, placed(written.workload(), options));
    }
    if (written.workload().options().containsKey(COLD)) {
      options.put(COLD, new LabColdStart(lab).steps(written.domains()));
    }
    return options;
  }

  /** Returns the tiles with the places of their servers in the lab. */
  private static List<Map<String, Object>> placed(
      WorkloadSpec workload, Map<String, Object> places) {
    List<Map<String, Object>> tiles = new ArrayList<>();
    for (Options tile : new Options(workload.options()).groups(Tiles.TILES)) {
      Map<String, Object> its =
          new LinkedHashMap<>(tile.group(Tiles.WORKLOAD).orElseThrow().values());
      new Options(places)
          .group(tile.text("name").orElseThrow())
          .ifPresent(place -> its.putAll(place.values()));
      Map<String, Object> values = new LinkedHashMap<>(tile.values());
      values.put(Tiles.WORKLOAD, its);
      tiles.add(values);
    }
    return tiles;
  }

  private static Scene scene(WorkloadSpec workload) {
    if (!workload.isTiled()) {
      return scene(workload.name());
    }
    List<Options> written = new Options(workload.options()).groups(Tiles.TILES);
    List<TilesScene.Part> parts = new ArrayList<>();
    for (Tile tile : workload.tiles()) {
      Options its = written.get(parts.size()).group(Tiles.WORKLOAD).orElseThrow();
      parts.add(new TilesScene.Part(tile.name(), its.text("name").orElseThrow(), tile.guests()));
    }
    return new TilesScene(parts);
  }

  /** Returns the scene of the workload; a custom plan gets the web application. */
  private static Scene scene(String workload) {
    return Scenes.named(workload).orElse(Scenes.WEB_APP);
  }

  private static HostSpec host(Lab lab) {
    return new HostSpec(
        "127.0.0.1",
        false,
        SshLogin.of("root", lab.sshPort(), lab.privateKey(), lab.knownHosts()),
        false,
        Optional.empty(),
        lab.toolstack().unprobed(),
        Optional.empty(),
        HostLimits.DEFAULT,
        Optional.empty());
  }

  /** Returns the logins of the experiment at the lab's guests. */
  private static Watching watching(Watching written, Lab lab) {
    Map<String, Login> logins = new LinkedHashMap<>();
    written
        .logins()
        .forEach(
            (name, login) ->
                logins.put(
                    name,
                    lab.logins().contains(name)
                        ? login.at(
                            "127.0.0.1",
                            SshLogin.of(
                                GuestLogins.USER,
                                lab.loginPort(name),
                                lab.privateKey(),
                                lab.knownHosts()))
                        : login));
    return written.with(logins);
  }

  /** Returns the experiment with the lab's address filled in. */
  public Experiment experiment() {
    return experiment;
  }

  /** Returns notices about the host to show before the run. */
  public List<String> notes() {
    return lab.map(
            running ->
                List.of(
                    "embedded lab on port %s: simulated schedulers, real HTTP and SQL%s"
                        .formatted(
                            running.sshPort(),
                            experiment.workload().live()
                                ? ", visitors whom the study knows only by the server's access log"
                                : "")))
        .orElse(List.of());
  }

  /** Reboots the lab into one of the schedulers; false when the host is not ours to reboot. */
  public boolean rebootInto(Set<Scheduler> schedulers) {
    if (lab.isEmpty() || schedulers.isEmpty()) {
      return false;
    }
    lab.get().reboot(schedulers.iterator().next());
    return true;
  }

  @Override
  public void close() {
    generators.ifPresent(LabGenerators::close);
    lab.ifPresent(Lab::close);
  }

  /**
   * How the database of an experiment on the lab is brought into the state of a machine that was
   * just switched on: the lab's own steps in the place of those in {@code cold}, whose addresses
   * change from one lab to the next.
   */
  private record LabColdStart(Lab lab) {
    /**
     * Returns the steps.
     *
     * @throws SlicewiseException if nobody can sign in to the guest
     */
    List<Map<String, Object>> steps(Map<Role, List<String>> domains) {
      int machine = port(domains.get(Role.MAIN).get(0));
      return List.of(
          step(machine, "systemctl", "stop", "postgresql"),
          step(machine, "sysctl", "vm.drop_caches=3"),
          step(lab.sshPort(), "sysctl", "vm.drop_caches=3"),
          step(machine, "systemctl", "start", "postgresql"));
    }

    private int port(String machine) {
      if (machine.equals(HypervisorKind.BASE)) {
        return lab.sshPort();
      }
      if (!lab.logins().contains(machine)) {
        throw SlicewiseException.input(
            "lab: nobody can sign in to %s to restart its database".formatted(machine),
            "leave 'cold' out, or use Xen or no hypervisor");
      }
      return lab.loginPort(machine);
    }

    private Map<String, Object> step(int port, String... command) {
      return SshLogin.of("root", port, lab.privateKey(), lab.knownHosts())
          .write(new YamlWriter().put("on", "127.0.0.1"), "")
          .put("command", List.of(command))
          .map();
    }
  }

  /**
   * The lab's machines that generate load: one for each of {@code lab1}, {@code lab2} … in the
   * experiment, with its own SSH server.
   */
  static final class LabGenerators implements AutoCloseable {
    private static final Pattern NAME = Pattern.compile("lab[1-9]");

    private final List<LabMachine> machines = new ArrayList<>();
    private final List<Path> homes = new ArrayList<>();
    private Generators reachable = Generators.NONE;

    private LabGenerators() {}

    static LabGenerators start(Generators written) {
      LabGenerators started = new LabGenerators();
      try {
        started.reachable = written.on(written.machines().stream().map(started::placed).toList());
        return started;
      } catch (RuntimeException fault) {
        started.close();
        throw fault;
      }
    }

    private GeneratorSpec placed(GeneratorSpec spec) {
      if (!NAME.matcher(spec.name()).matches()) {
        return spec;
      }
      try {
        Path home = Files.createTempDirectory("slicewise-lab-generator");
        homes.add(home);
        LabMachine machine = LabMachine.start(home);
        machines.add(machine);
        return spec.reachedAs(
            "127.0.0.1",
            SshLogin.of(
                LabMachine.USER, machine.port(), machine.privateKey(), machine.knownHosts()));
      } catch (IOException fault) {
        throw new UncheckedIOException("no temporary directory for the lab's generators", fault);
      }
    }

    /** Returns the experiment's generators with the addresses of the lab's machines. */
    Generators reachable() {
      return reachable;
    }

    @Override
    public void close() {
      machines.forEach(LabMachine::close);
      homes.forEach(home -> FileUtils.deleteQuietly(home.toFile()));
    }
  }
}
