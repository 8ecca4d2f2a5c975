package io.slicewise.sweep;

import io.slicewise.host.Hypervisor;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.Undo;
import io.slicewise.profile.ParametersText;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SettingDifference;
import io.slicewise.run.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a host can undo changes by itself. Every method throws {@link HypervisorException} if it
 * cannot.
 *
 * @param record with the settings to restore
 */
record Undos(Hypervisor hypervisor, RunRecord record) {
  /** Returns the undo of each difference between current and wanted settings. */
  List<Undo> of(Map<String, Setting> now, Map<String, SchedulerParameters> wanted) {
    List<Undo> undos = new ArrayList<>();
    for (SettingDifference one :
        SettingDifference.between(Setting.byName(now.values()), wanted, hypervisor::shows)) {
      undos.add(of(one.domain(), now.get(one.domain()), one.wanted()));
    }
    return undos;
  }

  /** Returns the undo of what an earlier process left changed. */
  List<Undo> ofTouched() {
    List<Undo> undos = new ArrayList<>();
    if (!record.touched().isEmpty()) {
      Present present = Present.of(hypervisor);
      for (String name : record.touched()) {
        Optional<Setting> current = present.settingOf(name, record);
        current.ifPresent(one -> undos.add(of(name, one, one.parameters())));
      }
    }
    return undos;
  }

  private Undo of(String name, Setting current, SchedulerParameters wanted) {
    SchedulerParameters now = current.parameters();
    return of(current, record.foundFor(now.scheduler(), name).orElse(now), wanted);
  }

  /** Checks that every domain could be restored. */
  void check() {
    for (Setting one : hypervisor.settings()) {
      if (hypervisor.unrestorable(one.parameters()).isEmpty()) {
        of(one, one.parameters(), one.parameters());
      }
    }
  }

  private Undo of(Setting current, SchedulerParameters found, SchedulerParameters wanted) {
    return hypervisor
        .undo(current.domain(), found, wanted)
        .orElseThrow(
            () ->
                new HypervisorException(
                    "A dead man's switch cannot restore %s of %s on this host."
                        .formatted(ParametersText.of(found), current.domain().name()),
                    "It can with xl under credit, credit2 and RTDS, and with virsh; otherwise"
                        + " remove dead-man below host:."));
  }
}
