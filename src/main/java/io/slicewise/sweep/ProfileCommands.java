package io.slicewise.sweep;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.HypervisorKind.SettingCommands;
import io.slicewise.host.Hypervisors;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.profile.SettingDifference;
import io.slicewise.run.Environment;
import io.slicewise.ssh.Command;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The commands to set one of a run's profiles by hand on its host, and to undo it: a line for each
 * domain that differs from the settings found by the run.
 *
 * @param notes in sentences, why a domain has no line or cannot be undone
 */
public record ProfileCommands(List<String> apply, List<String> undo, List<String> notes) {
  public ProfileCommands {
    apply = List.copyOf(apply);
    undo = List.copyOf(undo);
    notes = List.copyOf(notes);
  }

  /** Returns the commands for the run's toolstack, version and original settings. */
  public static ProfileCommands of(
      Experiment experiment, SchedulerProfile profile, Environment found) {
    HostDescription host = found.host();
    boolean sudo = experiment.host().map(HostSpec::sudo).orElse(false);
    SettingCommands words = Hypervisors.commands(host.toolstack(), host.version(), sudo);
    return of(experiment.settings(profile), found.settings(), words);
  }

  static ProfileCommands of(
      Map<String, SchedulerParameters> wanted,
      Map<String, SchedulerParameters> found,
      SettingCommands words) {
    List<String> apply = new ArrayList<>();
    List<String> undo = new ArrayList<>();
    Set<String> notes = new LinkedHashSet<>();
    for (SettingDifference differing : SettingDifference.between(found, wanted)) {
      String domain = differing.domain();
      if (differing.current().isEmpty()) {
        notes.add(
            domain + " was not running when the run began: its original settings are unknown");
      } else if (differing.isOtherScheduler()) {
        notes.add(
            "the guests need the %s scheduler first, by a reboot or a cpupool: the run found %s"
                .formatted(
                    differing.wanted().scheduler().xenName(),
                    differing.current().get().scheduler().xenName()));
      } else {
        add(words, domain, differing.wanted(), apply, notes);
        add(words, domain, differing.current().get(), undo, notes);
      }
    }
    return new ProfileCommands(apply, undo, List.copyOf(notes));
  }

  private static void add(
      SettingCommands words,
      String domain,
      SchedulerParameters parameters,
      List<String> lines,
      Set<String> notes) {
    try {
      words.set(domain, parameters).stream().map(Command::quoted).forEach(lines::add);
    } catch (HypervisorException inexpressible) {
      notes.add(inexpressible.getMessage());
    }
  }
}
