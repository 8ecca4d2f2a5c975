package io.slicewise.sweep.window;

import io.slicewise.experiment.Experiment;
import io.slicewise.run.validity.TrialFacts.ThisMachine;
import io.slicewise.ssh.RemoteShell;
import java.util.Optional;

/** What a window suffers from this machine: a late lab, and other programs that use its CPU. */
record Strain(HostLateness lateness, Optional<MachineUse> before) {
  /** Begins with the window. */
  static Strain atBeginning(RemoteShell shell, Experiment experiment) {
    return new Strain(
        HostLateness.atBeginning(shell),
        MachineUse.matters(experiment) ? Optional.of(MachineUse.read()) : Optional.empty());
  }

  /** Returns both since the beginning of the window. */
  ThisMachine now() {
    return new ThisMachine(
        lateness.p99Millis(),
        before.map(then -> MachineUse.read().othersSince(then)).orElse(Double.NaN));
  }
}
