package io.slicewise.lab.libvirt;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** One control group: the values of its files, and the kernel's checks of new values. */
final class LabCgroup {
  /** The value of a quota that is not set. */
  static final long NONE = -1;

  /** The largest quota that the kernel accepts. */
  static final long MOST_MICROS = 17592186044415L;

  private static final long LEAST_MICROS = 1000;
  private static final long LONGEST_PERIOD = 1_000_000;
  private static final long LEAST_SHARES = 2;
  private static final long MOST_SHARES = 262144;
  private static final long MOST_WEIGHT = 10000;

  private final String path;
  private final GroupVersion version;
  private final Optional<LabCgroup> parent;
  private final List<LabCgroup> children = new ArrayList<>();
  private final Consumer<LabCgroup> changed;
  private long weight;
  private long quota = NONE;
  private long period = 100_000;

  /**
   * Creates a group below the root of the hierarchy. {@code changed} is called after every change.
   */
  LabCgroup(
      String path, GroupVersion version, Optional<LabCgroup> parent, Consumer<LabCgroup> changed) {
    this.path = path;
    this.version = version;
    this.parent = parent;
    this.changed = changed;
    weight = version.defaultWeight();
  }

  LabCgroup child(String name, Consumer<LabCgroup> onChange) {
    LabCgroup child = new LabCgroup(path + "/" + name, version, Optional.of(this), onChange);
    children.add(child);
    return child;
  }

  void remove(LabCgroup child) {
    children.remove(child);
  }

  String path() {
    return path;
  }

  GroupVersion version() {
    return version;
  }

  long weight() {
    return weight;
  }

  /** Returns the quota in microseconds per period, or {@link #NONE} if none is set. */
  long quota() {
    return quota;
  }

  long period() {
    return period;
  }

  void setWeight(long wanted) {
    if (version == GroupVersion.V2 && (wanted < 1 || wanted > MOST_WEIGHT)) {
      throw KernelRefusal.range();
    }
    weight =
        version == GroupVersion.V1 ? Math.max(LEAST_SHARES, Math.min(MOST_SHARES, wanted)) : wanted;
    changed.accept(this);
  }

  /** Sets the quota. Any negative number removes it. */
  void setQuota(long wanted) {
    set(wanted < 0 ? NONE : wanted, period);
  }

  void setPeriod(long wanted) {
    set(quota, wanted);
  }

  void set(long wantedQuota, long wantedPeriod) {
    boolean none = wantedQuota == NONE;
    if (wantedPeriod < LEAST_MICROS
        || wantedPeriod > LONGEST_PERIOD
        || (!none && (wantedQuota < LEAST_MICROS || wantedQuota > MOST_MICROS))) {
      throw KernelRefusal.invalid();
    }
    if (version == GroupVersion.V1) {
      throwIfAgainstHierarchy(wantedQuota, wantedPeriod);
    }
    quota = wantedQuota;
    period = wantedPeriod;
    changed.accept(this);
  }

  /**
   * Refuses a change after which a version 1 group would have a larger share of a CPU than its
   * parent.
   */
  private void throwIfAgainstHierarchy(long wantedQuota, long wantedPeriod) {
    double part = part(wantedQuota, wantedPeriod);
    boolean tooGreat = part < Double.MAX_VALUE && parent.isPresent() && part > parent.get().part();
    boolean tooSmall =
        children.stream()
            .mapToDouble(LabCgroup::part)
            .anyMatch(p -> p < Double.MAX_VALUE && p > part);
    if (tooGreat || tooSmall) {
      throw KernelRefusal.invalid();
    }
  }

  private double part() {
    return part(quota, period);
  }

  private static double part(long quota, long period) {
    return quota == NONE ? Double.MAX_VALUE : (double) quota / period;
  }

  /** Thrown when the kernel refuses a value written to a control group file. */
  public static final class KernelRefusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    KernelRefusal(String reason) {
      super(reason, null, false, false);
    }

    static KernelRefusal invalid() {
      return new KernelRefusal("Invalid argument");
    }

    static KernelRefusal range() {
      return new KernelRefusal("Numerical result out of range");
    }
  }
}
