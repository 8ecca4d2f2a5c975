package io.slicewise.load.spread;

import io.slicewise.lab.daemon.LabMachine;
import io.slicewise.ssh.Connection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Generators' machines of the lab. Their homes stay for the next test, so that the program is
 * copied once.
 */
public final class LabMachines implements AutoCloseable {
  private static final Path HOMES =
      Path.of(System.getProperty("slicewise.home", "."), "target", "lab-machines");

  private final List<LabMachine> machines = new ArrayList<>();

  public LabMachines(int number) {
    for (int i = 1; i <= number; i++) {
      machines.add(LabMachine.start(HOMES.resolve("gen" + i)));
    }
  }

  LabMachine get(int place) {
    return machines.get(place);
  }

  /** The machines as an experiment names them. */
  List<GeneratorMachine> all() {
    List<GeneratorMachine> all = new ArrayList<>();
    for (LabMachine machine : machines) {
      all.add(named("gen" + (all.size() + 1), machine, machine.port()));
    }
    return all;
  }

  static GeneratorMachine named(String name, LabMachine machine, int port) {
    return new GeneratorMachine(
        name,
        Optional.of(
            Connection.to("127.0.0.1")
                .as(LabMachine.USER)
                .onPort(port)
                .withIdentity(machine.privateKey())
                .withKnownHosts(machine.knownHosts())),
        1,
        "java");
  }

  @Override
  public void close() {
    machines.forEach(LabMachine::close);
  }
}
