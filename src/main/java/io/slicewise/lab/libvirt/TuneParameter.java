package io.slicewise.lab.libvirt;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The scheduler parameters of libvirt's QEMU driver, in its order. */
public enum TuneParameter {
  CPU_SHARES("shares"),
  VCPU_PERIOD("period"),
  VCPU_QUOTA("quota"),
  EMULATOR_PERIOD("emulator_period"),
  EMULATOR_QUOTA("emulator_quota"),
  GLOBAL_PERIOD("global_period"),
  GLOBAL_QUOTA("global_quota"),
  IOTHREAD_PERIOD("iothread_period"),
  IOTHREAD_QUOTA("iothread_quota");

  private final String element;

  TuneParameter(String element) {
    this.element = element;
  }

  /** Returns the name used by schedinfo. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns its element name below {@code <cputune>}. */
  public String element() {
    return element;
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
