package io.slicewise.lab.libvirt;

import io.slicewise.lab.libvirt.SettingParameters.TuneParameter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A guest's configuration. */
public final class Definition {
  private final int vcpus;
  private final int most;
  private final CpuTune tuning;
  private final List<Optional<String>> pins;
  private final List<Optional<String>> ioPins;
  private Optional<String> emulatorPin = Optional.empty();

  /**
   * @param most vCPUs that it can have, at least {@code vcpus}
   */
  Definition(int vcpus, int most, int iothreads, CpuTune tuning) {
    this.vcpus = vcpus;
    this.most = most;
    this.tuning = tuning;
    pins = new ArrayList<>(Collections.nCopies(most, Optional.empty()));
    ioPins = new ArrayList<>(Collections.nCopies(iothreads, Optional.empty()));
  }

  Definition copy() {
    Definition copy = new Definition(vcpus, most, ioPins.size(), tuning.copy());
    for (int vcpu = 0; vcpu < most; vcpu++) {
      copy.pins.set(vcpu, pins.get(vcpu));
    }
    for (int thread = 0; thread < ioPins.size(); thread++) {
      copy.ioPins.set(thread, ioPins.get(thread));
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

  /** Returns the number of I/O threads. */
  public int iothreads() {
    return ioPins.size();
  }

  /** Returns the pCPUs that an I/O thread is pinned to, or empty if it is not pinned. */
  public Optional<String> ioPin(int thread) {
    return ioPins.get(thread);
  }

  void pinIoThread(int thread, Optional<String> pcpus) {
    ioPins.set(thread, pcpus);
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

  /** The scheduler parameters in a guest's configuration: only those that were set. */
  public static final class CpuTune {
    private final Map<TuneParameter, Long> values = new EnumMap<>(TuneParameter.class);

    CpuTune copy() {
      CpuTune copy = new CpuTune();
      copy.values.putAll(values);
      return copy;
    }

    /** Returns the value of a parameter, or 0 if it has none. */
    public long get(TuneParameter parameter) {
      return values.getOrDefault(parameter, 0L);
    }

    /**
     * Returns whether a parameter is set. Shares can be set to 0; for any other parameter 0 means
     * unset.
     */
    public boolean has(TuneParameter parameter) {
      return values.containsKey(parameter);
    }

    /** Replaces all values by those of an edited definition. */
    public void replace(Map<TuneParameter, Long> edited) {
      values.clear();
      values.putAll(edited);
    }

    void set(TuneParameter parameter, long value) {
      if (value == 0 && parameter != TuneParameter.CPU_SHARES) {
        values.remove(parameter);
      } else {
        values.put(parameter, value);
      }
    }
  }
}
