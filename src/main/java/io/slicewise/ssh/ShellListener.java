package io.slicewise.ssh;

import java.nio.file.Path;

/** Receives what a shell was asked and what it answered. Called by several threads. */
public interface ShellListener {
  /**
   * Receives a command that ended.
   *
   * @param input whether anything was written to its standard input
   */
  void answered(CommandResult result, boolean input);

  /** Receives a command that was ended from here, so that the machine gave no exit status. */
  void ended(Command command);

  /** Receives the place of a file that was copied from the machine. */
  void fetched(String remoteFile, Path localFile);
}
