package io.slicewise.lab.libvirt;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** A guest's definition in XML. */
public final class Definition {
  private final int vcpus;
  private final int most;
  private final int iothreads;
  private final long memoryKib;
  private final CpuTune tuning;
  private final List<Optional<String>> pins;
  private Optional<String> emulatorPin = Optional.empty();
  private final List<Optional<String>> iothreadPins;

  /**
   * @param most vCPUs that it can have, at least {@code vcpus}
   */
  Definition(int vcpus, int most, int iothreads, long memoryKib, CpuTune tuning) {
    this.vcpus = vcpus;
    this.most = most;
    this.iothreads = iothreads;
    this.memoryKib = memoryKib;
    this.tuning = tuning;
    pins = new ArrayList<>(Collections.nCopies(most, Optional.empty()));
    iothreadPins = new ArrayList<>(Collections.nCopies(iothreads, Optional.empty()));
  }

  Definition copy() {
    Definition copy = new Definition(vcpus, most, iothreads, memoryKib, tuning.copy());
    for (int vcpu = 0; vcpu < most; vcpu++) {
      copy.pins.set(vcpu, pins.get(vcpu));
    }
    for (int thread = 0; thread < iothreads; thread++) {
      copy.iothreadPins.set(thread, iothreadPins.get(thread));
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

  public int iothreads() {
    return iothreads;
  }

  public long memoryKib() {
    return memoryKib;
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

  /** Returns the pCPUs of an I/O thread, numbered from 1. */
  public Optional<String> iothreadPin(int number) {
    return iothreadPins.get(number - 1);
  }

  void pin(int vcpu, Optional<String> pcpus) {
    pins.set(vcpu, pcpus);
  }

  void pinEmulator(Optional<String> pcpus) {
    emulatorPin = pcpus;
  }

  void pinIothread(int number, Optional<String> pcpus) {
    iothreadPins.set(number - 1, pcpus);
  }
}
