package io.slicewise.load.spread;

import io.slicewise.lab.daemon.LabMachine;
import io.slicewise.ssh.Connection;
import io.slicewise.ssh.SshLogin;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Generators' machines of the lab. Their homes stay for the next test, so that the program is
 * copied once.
 */
public final class LabMachines implements AutoCloseable {
  private static final Path HOMES =
      Path.of(System.getProperty("slicewise.home", "."), "target", "lab-machines");

  /** Homes of machines that run: tests at the same time have machines of their own. */
  private static final Set<Path> TAKEN = new HashSet<>();

  private final List<LabMachine> machines = new ArrayList<>();
  private final List<Path> homes = new ArrayList<>();

  public LabMachines(int number) {
    keepJars();
    for (int i = 0; i < number; i++) {
      Path home = freeHome();
      homes.add(home);
      machines.add(LabMachine.start(home));
    }
  }

  /** Keeps the program of machines of the lab with the build, and not in the user's cache. */
  public static void keepJars() {
    System.setProperty("slicewise.cache.jars", HOMES.resolve("jars").toAbsolutePath().toString());
  }

  private static Path freeHome() {
    synchronized (TAKEN) {
      return IntStream.iterate(1, number -> number + 1)
          .mapToObj(number -> HOMES.resolve("gen" + number))
          .filter(TAKEN::add)
          .findFirst()
          .orElseThrow();
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
            Connection.to(
                "127.0.0.1",
                SshLogin.of(LabMachine.USER, port, machine.privateKey(), machine.knownHosts()))),
        1,
        "java");
  }

  @Override
  public void close() {
    machines.forEach(LabMachine::close);
    synchronized (TAKEN) {
      homes.forEach(TAKEN::remove);
    }
  }
}
