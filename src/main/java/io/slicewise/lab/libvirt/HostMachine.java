package io.slicewise.lab.libvirt;

import io.slicewise.lab.host.Driver;
import io.slicewise.lab.sim.FairScheduler;
import io.slicewise.lab.sim.FairScheduler.Quota;
import io.slicewise.lab.sim.Machine;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The machine below libvirt: the source of the guests' CPU time, and the control group of all
 * guests.
 */
public final class HostMachine {
  private final Driver driver;
  private final int pcpus;
  private final LabCgroup machineGroup;

  public HostMachine(Driver driver, int pcpus, GroupVersion version) {
    this.driver = driver;
    this.pcpus = pcpus;
    machineGroup =
        new LabCgroup(
            "/machine",
            version,
            Optional.empty(),
            group -> change(m -> m.fair().setMachineWeight(version.onMachine(group.weight()))));
  }

  int pcpus() {
    return pcpus;
  }

  LabCgroup machineGroup() {
    return machineGroup;
  }

  GroupVersion version() {
    return machineGroup.version();
  }

  <T> T ask(Function<Machine, T> question) {
    return driver.ask(question);
  }

  void change(Consumer<Machine> change) {
    driver.ask(
        machine -> {
          change.accept(machine);
          return true;
        });
  }

  /** Starts a process with its threads. */
  void begin(int id, String name, int vcpus) {
    change(machine -> machine.addGuest(name, id, vcpus));
  }

  void end(int id) {
    change(
        machine -> {
          machine.removeDomain(FairScheduler.emulator(id));
          machine.removeDomain(id);
        });
  }

  /** Applies the settings of a guest's group to the machine. */
  void applied(LabCgroup group, int id) {
    change(
        machine -> {
          machine.fair().setWeight(id, group.version().onMachine(group.weight()));
          machine.fair().setQuota(id, quota(group));
        });
  }

  /** Applies the settings of a thread's group to the machine. */
  void applied(LabCgroup group, int id, int vcpu) {
    change(
        machine -> {
          machine.fair().setWeight(id, vcpu, group.version().onMachine(group.weight()));
          machine.fair().setQuota(id, vcpu, quota(group));
        });
  }

  private static Optional<Quota> quota(LabCgroup group) {
    return group.quota() == LabCgroup.NONE
        ? Optional.empty()
        : Optional.of(new Quota(Math.min(group.quota(), 1L << 40), group.period()));
  }
}
