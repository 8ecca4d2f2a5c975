package io.slicewise.lab.libvirt;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** A guest's configuration. */
public final class Definition {
  private final int vcpus;
  private final int most;
  private final CpuTune tuning;
  private final List<Optional<String>> pins;
  private Optional<String> emulatorPin = Optional.empty();

  /**
   * @param most vCPUs that it can have, at least {@code vcpus}
   */
  Definition(int vcpus, int most, CpuTune tuning) {
    this.vcpus = vcpus;
    this.most = most;
    this.tuning = tuning;
    pins = new ArrayList<>(Collections.nCopies(most, Optional.empty()));
  }

  Definition copy() {
    Definition copy = new Definition(vcpus, most, tuning.copy());
    for (int vcpu = 0; vcpu < most; vcpu++) {
      copy.pins.set(vcpu, pins.get(vcpu));
    }
    copy.emulatorPin = emulatorPin;
    return copy;
  }

  /** Returns the number of online vCPUs. */
  public int vcpus() {
    return vcpus;
  }

  /** Returns the number of vCPUs that the guest can have. */
  public int most() {
    return most;
  }

  public CpuTune tuning() {
    return tuning;
  }

  /** Returns the pCPUs that a vCPU is pinned to, or empty if it is not pinned. */
  public Optional<String> pin(int vcpu) {
    return pins.get(vcpu);
  }

  public Optional<String> emulatorPin() {
    return emulatorPin;
  }

  void pin(int vcpu, Optional<String> pcpus) {
    pins.set(vcpu, pcpus);
  }

  void pinEmulator(Optional<String> pcpus) {
    emulatorPin = pcpus;
  }
}
