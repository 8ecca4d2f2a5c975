package io.slicewise.observe;

/**
 * The machine, real or virtual, that a measure is of.
 *
 * @param cpus its own CPUs, of which shares are shares; 0 when unknown
 */
public record Location(Kind kind, String name, int cpus) {
  /** What a place can be. */
  public enum Kind {
    HOST("pCPUs"),
    DOMAIN("vCPUs"),
    GENERATOR("cores");

    private final String cpus;

    Kind(String cpus) {
      this.cpus = cpus;
    }

    /** The word for the CPUs of such a place. */
    public String cpus() {
      return cpus;
    }
  }

  /** A domain whose vCPUs do not matter. */
  public static Location domain(String name) {
    return new Location(Kind.DOMAIN, name, 0);
  }
}
