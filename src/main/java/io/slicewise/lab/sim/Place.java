package io.slicewise.lab.sim;

/** A place where a page view spends time. */
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

  /** The name in files and on screens. */
  public String key() {
    return key;
  }
}
