package io.slicewise.load.generator;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Prepares generators; the real one forks a JVM per run. */
public interface LoadGenerator extends AutoCloseable {
  /** The real generator: a new JVM for every run, with this program's class path. */
  static LoadGenerator forked() {
    return new ForkedGenerator();
  }

  /**
   * Starts the generator's JVM, which loads the plan but does not run it. Returns at once; errors
   * in the plan are reported when the run begins. May be called while another run is still being
   * torn down.
   */
  PreparedLoad prepare(LoadRequest request);

  /**
   * Starts a generator for each of several plans that run at once as one load. If one cannot be
   * started, none stays.
   *
   * @param requests by the names of their outputs
   * @param directory for the samples of all
   */
  default PreparedLoad prepare(Map<String, LoadRequest> requests, Path directory) {
    Map<String, PreparedLoad> loads = new LinkedHashMap<>();
    try {
      requests.forEach((name, request) -> loads.put(name, prepare(request)));
    } catch (RuntimeException failed) {
      try {
        new TiledLoad.Prepared(loads, directory).close();
      } catch (RuntimeException later) {
        failed.addSuppressed(later);
      }
      throw failed;
    }
    return new TiledLoad.Prepared(loads, directory);
  }

  /** Ends logins on other machines; running loads are closed by their callers before. */
  @Override
  default void close() {}

  /** A generator that is starting or ready. Closing it ends its process in any state. */
  interface PreparedLoad extends AutoCloseable {
    /**
     * Waits until the plan is loaded, so that {@link #begin} starts the users at once; generators
     * on other machines are only waited for when they begin.
     */
    default void awaitReady() {}

    /**
     * Waits until the plan is loaded, starts the users, and returns when all machines start theirs.
     *
     * @throws io.slicewise.base.units.SlicewiseException if the plan cannot be loaded or the JVM
     *     ended
     */
    RunningLoad begin();

    @Override
    void close();
  }
}
