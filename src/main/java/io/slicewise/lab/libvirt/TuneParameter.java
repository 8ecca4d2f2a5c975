package io.slicewise.lab.libvirt;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The scheduler parameters of libvirt's QEMU driver, in its order. */
public enum TuneParameter {
  CPU_SHARES,
  VCPU_PERIOD,
  VCPU_QUOTA,
  EMULATOR_PERIOD,
  EMULATOR_QUOTA,
  GLOBAL_PERIOD,
  GLOBAL_QUOTA,
  IOTHREAD_PERIOD,
  IOTHREAD_QUOTA;

  /** Returns the name used by schedinfo. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public boolean isQuota() {
    return name().endsWith("_QUOTA");
  }

  public boolean isPeriod() {
    return name().endsWith("_PERIOD");
  }

  public static Optional<TuneParameter> of(String name) {
    return Arrays.stream(values()).filter(one -> one.text().equals(name)).findFirst();
  }
}
