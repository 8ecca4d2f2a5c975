package io.slicewise.host.xen;

import io.slicewise.host.Domain;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.Target;
import io.slicewise.host.xen.Tool.ToolRefusals;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The commands of one version of a toolstack; all words after the program's name. */
interface Dialect {
  String name();

  HypervisorVersion version();

  /** Lists all domains, with the cpupool of each if the toolstack can. */
  List<String> listDomains();

  /**
   * Lists the domains of one cpupool, if the toolstack can and {@link #listDomains} does not show
   * it.
   */
  Optional<List<String>> listDomainsIn(String cpupool);

  /** Lists all domains with their UUIDs, if the toolstack has such a listing. */
  Optional<List<String>> listUuids();

  /** Lists the pCPUs of each cpupool, if the toolstack has such a listing. */
  Optional<List<String>> listPoolCpus();

  /** Whether the host can have more than one cpupool. */
  boolean hasCpupools();

  /**
   * Lists the settings of all domains with a scheduler.
   *
   * @throws HypervisorException if the toolstack has no command for it
   */
  List<String> listParameters(Scheduler scheduler);

  /**
   * Returns the commands that set a domain's parameters.
   *
   * @param target the word that names the domain to the tool: its domid or its name
   * @throws HypervisorException if the toolstack cannot express them
   */
  List<List<String>> set(Domain domain, String target, SchedulerParameters wanted);

  /**
   * Returns the command that sets the parameters of a cpupool as a whole.
   *
   * @throws HypervisorException if the toolstack cannot express them
   */
  default List<String> setPool(Target.Pool pool, SchedulerParameters wanted) {
    throw ToolRefusals.noCommand(this, wanted.scheduler());
  }

  /** Whether the toolstack lists and sets the place of each domain's vCPUs. */
  default boolean setsPlaces() {
    return false;
  }

  /**
   * Returns the commands that set where a domain's vCPUs may run; what a placement leaves as found
   * is not changed.
   *
   * @param target the word that names the domain to the tool: its domid or its name
   * @throws HypervisorException if the toolstack cannot
   */
  default List<List<String>> setPlace(String target, SchedulerParameters wanted) {
    throw new HypervisorException(
        "%s of Xen %s cannot set a placement.".formatted(name(), version()),
        "It needs xl of Xen 4.5 or later.");
  }

  /** Whether the toolstack makes cpupools and lists what a {@link XlSplit} needs. */
  default boolean splits() {
    return false;
  }

  /** The step in which a scheduler's times are printed; zero if they are printed exactly. */
  Duration timeStep(Scheduler scheduler);
}
