package io.slicewise.load.generator;

/** Makes generators ready; the real one forks a JVM per run. */
public interface LoadGenerator {
  /** The real one: a JVM of its own for every run, from this program's own class path. */
  static LoadGenerator forked() {
    return new ForkedGenerator();
  }

  /** Heap of a generator's JVM for that many users, in MiB; it is taken at the start. */
  static int heapMegabytes(int users) {
    return JavaCommand.heapMegabytes(users);
  }

  /**
   * Starts the generator's JVM and lets it load the plan, but not run it. Returns at once; faults
   * of the plan show when the run begins. May be called while another run is still being torn down.
   */
  PreparedLoad prepare(LoadRequest request);

  /** A generator that is starting or ready. Closing it ends its process, whatever its state. */
  interface PreparedLoad extends AutoCloseable {
    /**
     * Waits until the plan is loaded, then lets the users start.
     *
     * @throws io.slicewise.base.units.SlicewiseException if the plan cannot be loaded or the JVM
     *     ended
     */
    RunningLoad begin();

    @Override
    void close();
  }
}
