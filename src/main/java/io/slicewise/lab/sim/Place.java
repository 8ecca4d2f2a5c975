package io.slicewise.lab.sim;

/** Where a page view spends time. */
public enum Place {
  /** The control domain, whose drivers carry packets and blocks between the guests. */
  DOM0("dom0"),
  WEB("web"),
  DATABASE("database"),
  FILE("file"),
  /** Off the CPUs: one server, first come first served. */
  DISK("disk");

  private final String key;

  Place(String key) {
    this.key = key;
  }

  /** As files and screens write it. */
  public String key() {
    return key;
  }
}
