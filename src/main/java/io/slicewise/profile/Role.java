package io.slicewise.profile;

import io.slicewise.base.units.EnumName;

/** The part a domain plays in an experiment. */
public enum Role {
  /** The control domain, Domain-0. */
  DOM0,
  /** A guest the workload loads and whose settings are studied. */
  MAIN,
  /** Any other guest of the experiment. */
  OTHER;

  /** Returns the name in files: {@code dom0}, {@code main}, {@code other}. */
  public String key() {
    return EnumName.of(this);
  }
}
