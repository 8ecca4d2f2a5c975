package io.slicewise.host;

/** What settings belong to: a running domain, or a cpupool as a whole. */
public sealed interface Target permits Domain, Target.Pool {
  /** The name in profiles, journals and messages; unique on a host. */
  String name();

  /** Returns whether both are the same, whatever their names and other properties are by now. */
  boolean isSame(Target other);

  /**
   * A cpupool as a whole.
   *
   * @param pool its name on the host
   */
  record Pool(String pool) implements Target {
    private static final String PREFIX = "cpupool ";

    /** Returns the name of a pool as a target. */
    public static String name(String pool) {
      return PREFIX + pool;
    }

    /** Returns whether a target of this name is a pool. */
    public static boolean isCalled(String name) {
      return name.startsWith(PREFIX);
    }

    /** Returns the pool of a target of this name. */
    public static Pool called(String name) {
      return new Pool(name.substring(PREFIX.length()));
    }

    @Override
    public String name() {
      return name(pool);
    }

    @Override
    public boolean isSame(Target other) {
      return equals(other);
    }
  }
}
