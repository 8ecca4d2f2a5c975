package io.slicewise.lab.sim;

import io.slicewise.lab.sim.Demands.Place;
import io.slicewise.lab.sim.Machine.DomainView;
import io.slicewise.lab.sim.Machine.VcpuView;
import io.slicewise.lab.sim.Runstate.RunstateListener;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How long each domain ran on each pCPU, added up from the changes of runstates. */
final class RunTimes implements RunstateListener {
  private record Place(int pcpu, int domid) {}

  private record Run(Place place, long since) {}

  private final Machine machine;
  private final Map<Place, Long> ended = new HashMap<>();
  private final Map<List<Integer>, Run> underWay = new HashMap<>();

  private RunTimes(Machine machine) {
    this.machine = machine;
  }

  /** Listens to a machine on which no time has passed yet. */
  static RunTimes on(Machine machine) {
    RunTimes times = new RunTimes(machine);
    for (DomainView domain : machine.domains()) {
      for (VcpuView vcpu : machine.vcpus(domain.domid())) {
        if (vcpu.state() == Runstate.RUNNING) {
          times.begin(domain.domid(), vcpu.vcpu(), vcpu.pcpu(), machine.now());
        }
      }
    }
    machine.listen(times);
    return times;
  }

  private void begin(int domid, int vcpu, int pcpu, long nanos) {
    underWay.put(List.of(domid, vcpu), new Run(new Place(pcpu, domid), nanos));
  }

  @Override
  public void changed(
      long nanos, int domid, int vcpu, int pcpu, Runstate from, Runstate to, Cause cause) {
    if (from == Runstate.RUNNING) {
      Run run = underWay.remove(List.of(domid, vcpu));
      ended.merge(run.place(), nanos - run.since(), Long::sum);
    }
    if (to == Runstate.RUNNING) {
      begin(domid, vcpu, pcpu, nanos);
    }
  }

  long nanos(int pcpu, int domid) {
    Place place = new Place(pcpu, domid);
    return ended.getOrDefault(place, 0L)
        + underWay.values().stream()
            .filter(run -> run.place().equals(place))
            .mapToLong(run -> machine.now() - run.since())
            .sum();
  }
}
