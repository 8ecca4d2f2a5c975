package io.slicewise.observe;

/**
 * The machine, real or virtual, that is measured.
 *
 * @param cpus the CPUs that shares refer to; 0 if unknown
 */
public record Location(Kind kind, String name, int cpus) {
  /** The kind of machine. */
  public enum Kind {
    HOST("pCPUs"),
    DOMAIN("vCPUs"),
    GENERATOR("cores");

    private final String cpus;

    Kind(String cpus) {
      this.cpus = cpus;
    }

    /** Returns the word for the CPUs of such a machine. */
    public String cpus() {
      return cpus;
    }
  }

  /** Returns a domain without its number of vCPUs. */
  public static Location domain(String name) {
    return new Location(Kind.DOMAIN, name, 0);
  }
}
