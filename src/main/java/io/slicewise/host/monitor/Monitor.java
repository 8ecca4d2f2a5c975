package io.slicewise.host.monitor;

import io.slicewise.base.units.Window;
import io.slicewise.host.Domain;
import io.slicewise.observe.Observation;
import io.slicewise.observe.Observer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A way to measure the hypervisor's CPU shares, chosen by probing the host.
 *
 * <p>Methods that talk to the host throw {@link io.slicewise.ssh.RemoteShellException} if it cannot
 * be reached, and a {@link io.slicewise.base.units.SlicewiseException} if it refuses: {@code
 * LOCKED} when another program reads its trace buffers.
 */
public interface Monitor {
  /**
   * {@code xenmon}, {@code xenalyze}, {@code xentop}, {@code schedstat}, {@code cpuacct}, {@code
   * none}.
   */
  String name();

  /**
   * The results of probing, in sentences: why no better source was chosen, and which limitations
   * apply.
   */
  default List<String> remarks() {
    return List.of();
  }

  /** Returns the lead time before the measured window that is needed to cover it. */
  default Duration leadTime() {
    return Duration.ZERO;
  }

  /** Whether its program is given the length of the window when it starts. */
  default boolean runsForALength() {
    return true;
  }

  /** Returns a copy prepared before the window, so that preparation takes no time of it. */
  default Monitor ready(List<Domain> domains) {
    return this;
  }

  /**
   * Starts watching.
   *
   * @param length minimum duration, including lead time
   * @param domains the current domains, to map ids to names
   * @param directory an existing, empty local directory for the raw logs
   */
  Watch start(Duration length, List<Domain> domains, Path directory);

  /** A running watch of shares. */
  interface Watch extends Observer.Watch {
    /**
     * Asks for what is read at the end of the window; returns immediately. Not needed for logs with
     * timestamps.
     */
    @Override
    default void end() {}

    /** Ends the watch, fetches and keeps its logs, and reduces the window. */
    MonitorResult result(Window window);

    @Override
    default List<Observation> finish(Window window) {
      return List.of(HypervisorShares.observation(result(window)));
    }
  }
}
