package io.slicewise.host;

import io.slicewise.ssh.RemoteShell;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** The kinds of hypervisors that Slicewise can drive. */
public final class Hypervisors {
  private Hypervisors() {}

  private static List<HypervisorKind> kinds() {
    return ServiceLoader.load(HypervisorKind.class).stream()
        .map(ServiceLoader.Provider::get)
        .toList();
  }

  /** All toolstacks, in the order in which a host is probed for them. */
  public static List<String> toolstacks() {
    return kinds().stream().flatMap(kind -> kind.toolstacks().stream()).toList();
  }

  /** The kind with that toolstack; the first kind where none has it, as in a simulated run. */
  public static HypervisorKind kind(String toolstack) {
    List<HypervisorKind> kinds = kinds();
    return kinds.stream()
        .filter(kind -> kind.toolstacks().contains(toolstack))
        .findFirst()
        .orElse(kinds.get(0));
  }

  /** The control domain's name on hosts with that toolstack; of the first kind where it is open. */
  public static Optional<String> controlDomain(Optional<String> toolstack) {
    return kind(toolstack.orElse("")).controlDomain();
  }

  /**
   * Finds a host's hypervisor, or the one with the toolstack that is asked for; changes nothing.
   *
   * @param sudo whether its tools are called through {@code sudo -n}
   * @throws HypervisorException if none answers
   * @throws io.slicewise.ssh.RemoteShellException if the host cannot be reached
   */
  public static Hypervisor probe(RemoteShell shell, boolean sudo, Optional<String> toolstack) {
    List<HypervisorKind> asked =
        toolstack.map(name -> List.of(kind(name))).orElseGet(Hypervisors::kinds);
    List<HypervisorException> failures = new ArrayList<>();
    for (HypervisorKind kind : asked) {
      try {
        return kind.probe(shell, sudo, toolstack);
      } catch (HypervisorException failure) {
        failures.add(failure);
      }
    }
    String all =
        failures.stream().map(HypervisorException::getMessage).collect(Collectors.joining(" "));
    throw new HypervisorException(all, failures.get(0).hint());
  }
}
