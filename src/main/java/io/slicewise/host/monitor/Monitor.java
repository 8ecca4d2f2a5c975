package io.slicewise.host.monitor;

import io.slicewise.base.units.Window;
import io.slicewise.host.Domain;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A way to learn how the hypervisor shared out its pCPUs. Chosen by probing the host.
 *
 * <p>Methods that talk to the host throw {@link io.slicewise.ssh.RemoteShellException} when it
 * cannot be reached, and a {@link io.slicewise.base.units.SlicewiseException} when it refuses:
 * {@code LOCKED} when another program reads its trace buffers.
 */
public interface Monitor {
  /** {@code xenmon}, {@code xenalyze}, {@code xentop}, {@code schedstat} or {@code none}. */
  String name();

  /** What probing found out: why no better source was chosen, which traps apply. In words. */
  List<String> remarks();

  /** How long before the measured window it must be started so that the window is covered. */
  Duration leadTime();

  /** The same with what it can find out before the window, so that this takes no time of it. */
  default Monitor ready(List<Domain> domains) {
    return this;
  }

  /**
   * Starts watching.
   *
   * @param length how long the watch must go on at least, lead time included
   * @param domains the domains as listed at this moment: ids are mapped to names with them
   * @param directory an existing, empty local directory that will hold the raw logs
   */
  Watch start(Duration length, List<Domain> domains, Path directory);

  /** A watch under way; closing it ends it and removes what it left on the host. */
  interface Watch extends AutoCloseable {
    /** Notes the end of the window; returns at once. Most logs carry the time and need none. */
    default void end() {}

    /** Ends the watch, fetches and keeps its logs, and reduces the window. */
    MonitorResult finish(Window window);

    @Override
    void close();
  }
}
