package io.slicewise.profile;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Xen's CPU schedulers, named as {@code xl info} and {@code xl cpupool-list} name them. */
public enum Scheduler {
  CREDIT,
  CREDIT2,
  SEDF,
  RTDS,
  ARINC653,
  NULL;

  /** Xen's own name: {@code credit}, {@code credit2}, {@code sedf}, … */
  public String xenName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The scheduler of that Xen name, or empty if Slicewise does not know it. */
  public static Optional<Scheduler> ofXenName(String name) {
    return Arrays.stream(values()).filter(s -> s.xenName().equals(name)).findFirst();
  }
}
