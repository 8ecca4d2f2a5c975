package io.slicewise.lab.libvirt;

import io.slicewise.lab.libvirt.Definition.CpuTune;
import io.slicewise.lab.libvirt.LabCgroup.KernelRefusal;
import io.slicewise.lab.libvirt.Libvirtd.LibvirtError;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Reads and sets scheduler parameters as libvirt's QEMU driver does, one after the other. */
public final class SettingParameters {
  private static final long LEAST_MICROS = 1000;
  private static final long LONGEST_PERIOD = 1_000_000;
  private static final long LEAST_SHARES = 2;
  private static final long MOST_SHARES = 262144;

  /**
   * A parameter and its requested value. Shares are unsigned.
   *
   * @param value the value, in microseconds for a period or a quota
   */
  public record Wanted(TuneParameter parameter, long value) {}

  SettingParameters() {}

  /**
   * Returns the effective values, read from the control groups; for vCPUs, from the first one
   * alone.
   */
  public Map<TuneParameter, Long> live(LibvirtGuest guest) {
    Life life = guest.running();
    Map<TuneParameter, Long> values = new EnumMap<>(TuneParameter.class);
    values.put(TuneParameter.CPU_SHARES, life.group().weight());
    put(values, TuneParameter.VCPU_PERIOD, TuneParameter.VCPU_QUOTA, life.vcpus().get(0));
    put(values, TuneParameter.EMULATOR_PERIOD, TuneParameter.EMULATOR_QUOTA, life.emulator());
    put(values, TuneParameter.GLOBAL_PERIOD, TuneParameter.GLOBAL_QUOTA, life.group());
    LabCgroup iothread = life.iothreads().isEmpty() ? life.group() : life.iothreads().get(0);
    put(values, TuneParameter.IOTHREAD_PERIOD, TuneParameter.IOTHREAD_QUOTA, iothread);
    return values;
  }

  private static void put(
      Map<TuneParameter, Long> values, TuneParameter period, TuneParameter quota, LabCgroup group) {
    boolean none = group.quota() == LabCgroup.NONE;
    values.put(period, group.period());
    values.put(
        quota, none && group.version() == GroupVersion.V2 ? LabCgroup.MOST_MICROS : group.quota());
  }

  /** Returns the configured values, with 0 for those that are not configured. */
  public Map<TuneParameter, Long> configured(LibvirtGuest guest) {
    CpuTune tuning = config(guest).tuning();
    Map<TuneParameter, Long> values = new EnumMap<>(TuneParameter.class);
    for (TuneParameter parameter : TuneParameter.values()) {
      values.put(parameter, tuning.get(parameter));
    }
    return values;
  }

  private static Definition config(LibvirtGuest guest) {
    return guest
        .config()
        .orElseThrow(
            () ->
                new LibvirtError(
                    "Requested operation is not valid: transient domains do not have any"
                        + " persistent config"));
  }

  /**
   * Sets parameters in the given order. If one is refused, the live guest keeps those set before
   * it; the configuration changes only if all are accepted.
   */
  public void set(LibvirtGuest guest, List<Wanted> all, boolean live, boolean persistent) {
    if (live) {
      guest.running();
    }
    CpuTune copy = persistent ? config(guest).tuning().copy() : new CpuTune();
    for (Wanted wanted : all) {
      throwIfOutOfRange(wanted);
      if (live) {
        apply(guest.running(), wanted);
        remember(guest.running().definition().tuning(), wanted);
      }
      copy.set(wanted.parameter(), wanted.value());
    }
    if (persistent) {
      CpuTune kept = config(guest).tuning();
      for (Wanted wanted : all) {
        kept.set(wanted.parameter(), wanted.value());
      }
    }
  }

  /** Stores a requested value. A period or quota of 0 changes nothing. */
  private static void remember(CpuTune asked, Wanted wanted) {
    if (wanted.value() != 0 || wanted.parameter() == TuneParameter.CPU_SHARES) {
      asked.set(wanted.parameter(), wanted.value());
    }
  }

  private static void throwIfOutOfRange(Wanted wanted) {
    TuneParameter parameter = wanted.parameter();
    long value = wanted.value();
    boolean period = parameter.isPeriod();
    long most = period ? LONGEST_PERIOD : LabCgroup.MOST_MICROS;
    boolean checked = period ? value != 0 : parameter.isQuota() && value > 0;
    if (checked && (value < LEAST_MICROS || value > most)) {
      throw new LibvirtError(
          "invalid argument: value of '%s' is out of range [%d, %d]"
              .formatted(parameter.text(), LEAST_MICROS, most));
    }
  }

  private static void apply(Life life, Wanted wanted) {
    long value = wanted.value();
    switch (wanted.parameter()) {
      case CPU_SHARES -> shares(life.group(), value);
      case VCPU_PERIOD, VCPU_QUOTA -> life.vcpus().forEach(group -> bandwidth(group, wanted));
      case EMULATOR_PERIOD, EMULATOR_QUOTA -> bandwidth(life.emulator(), wanted);
      case GLOBAL_PERIOD, GLOBAL_QUOTA -> bandwidth(life.group(), wanted);
      case IOTHREAD_PERIOD, IOTHREAD_QUOTA ->
          life.iothreads().forEach(group -> bandwidth(group, wanted));
    }
  }

  private static void shares(LabCgroup group, long value) {
    if (value < LEAST_SHARES || value > MOST_SHARES) {
      throw new LibvirtError(
          "invalid argument: shares '%s' must be in range [%d, %d]"
              .formatted(Long.toUnsignedString(value), LEAST_SHARES, MOST_SHARES));
    }
    try {
      group.setWeight(value);
    } catch (KernelRefusal refused) {
      throw unwritable(group, "cpu.weight", refused);
    }
  }

  private static LibvirtError unwritable(LabCgroup group, String file, KernelRefusal refused) {
    return new LibvirtError(
        "Unable to write to '%s%s/%s': %s"
            .formatted(group.version().root(), group.path(), file, refused.getMessage()));
  }

  private static void bandwidth(LabCgroup group, Wanted wanted) {
    if (wanted.value() == 0) {
      return;
    }
    boolean period = wanted.parameter().isPeriod();
    String file = period ? "cpu.cfs_period_us" : "cpu.cfs_quota_us";
    BiConsumer<LabCgroup, Long> write = period ? LabCgroup::setPeriod : SettingParameters::quota;
    try {
      write.accept(group, wanted.value());
    } catch (KernelRefusal refused) {
      if (group.version() == GroupVersion.V2) {
        throw unwritable(group, "cpu.max", refused);
      }
      throw new LibvirtError(
          "Invalid value '%d' for '%s': %s".formatted(wanted.value(), file, refused.getMessage()));
    }
  }

  /** Sets a quota. In version 2 the largest number means none. */
  private static void quota(LabCgroup group, long value) {
    boolean none = group.version() == GroupVersion.V2 && value == LabCgroup.MOST_MICROS;
    group.setQuota(none ? LabCgroup.NONE : value);
  }

  /** Applies a definition's settings to a new process. */
  void atStart(Life life) {
    CpuTune tuning = life.definition().tuning();
    for (TuneParameter parameter :
        List.of(
            TuneParameter.CPU_SHARES,
            TuneParameter.GLOBAL_PERIOD,
            TuneParameter.GLOBAL_QUOTA,
            TuneParameter.EMULATOR_PERIOD,
            TuneParameter.EMULATOR_QUOTA,
            TuneParameter.IOTHREAD_PERIOD,
            TuneParameter.IOTHREAD_QUOTA,
            TuneParameter.VCPU_PERIOD,
            TuneParameter.VCPU_QUOTA)) {
      if (tuning.has(parameter)) {
        apply(life, new Wanted(parameter, tuning.get(parameter)));
      }
    }
  }

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
}
