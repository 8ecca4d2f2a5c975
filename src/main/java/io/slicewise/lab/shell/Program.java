package io.slicewise.lab.shell;

import java.io.IOException;

/** A program of the embedded host. */
@FunctionalInterface
public interface Program {
  /**
   * Runs to its end and answers with the exit status, 0..255. Long-running tools end early with an
   * {@link InterruptedException} when the caller's channel closes.
   *
   * @throws IOException when the caller no longer listens or the host's disk refuses
   */
  int run(Invocation invocation) throws IOException, InterruptedException;
}
