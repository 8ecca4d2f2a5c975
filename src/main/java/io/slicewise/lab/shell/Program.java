package io.slicewise.lab.shell;

import java.io.IOException;

/** A program of the embedded host. */
@FunctionalInterface
public interface Program {
  /**
   * Runs to its end and returns the exit status, 0..255. Long-running tools end early with an
   * {@link InterruptedException} when the caller's channel closes.
   *
   * @throws IOException if the caller no longer reads, or the host's disk refuses a write
   */
  int run(Invocation invocation) throws IOException, InterruptedException;
}
