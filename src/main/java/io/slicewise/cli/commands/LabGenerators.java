package io.slicewise.cli.commands;

import io.slicewise.experiment.GeneratorSpec;
import io.slicewise.experiment.Generators;
import io.slicewise.lab.daemon.LabMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.commons.io.FileUtils;

/**
 * The lab's machines that generate load: one for each of {@code lab1}, {@code lab2} … in the
 * experiment, with its own SSH server.
 */
final class LabGenerators implements AutoCloseable {
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
          "127.0.0.1", LabMachine.USER, machine.port(), machine.privateKey(), machine.knownHosts());
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
