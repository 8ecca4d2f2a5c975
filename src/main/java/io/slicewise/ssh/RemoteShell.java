package io.slicewise.ssh;

import java.io.OutputStream;
import java.nio.file.Path;

/**
 * Runs commands and fetches files on one machine: this one or another one over SSH.
 *
 * <p>Every method throws {@link RemoteShellException} when the machine cannot be reached, refuses
 * the login, shows an unknown or changed host key, or a time limit passes. A command that fails is
 * a result with its exit status, not an exception. Safe for use by several threads.
 */
public interface RemoteShell extends AutoCloseable {
  /** Runs a command to its end. A reading command is repeated once after a lost connection. */
  CommandResult run(Command command);

  /**
   * Starts a command that runs until it ends or is stopped. Its standard input stays open for
   * {@link RunningCommand#write}.
   */
  RunningCommand start(Command command);

  /**
   * Starts a command that answers to lines on its standard input. It runs until its input ends, and
   * must not outlive it.
   */
  Conversation converse(Command command);

  /**
   * Starts a command as {@link #start} does, and passes its output on as it arrives, byte by byte.
   *
   * @param output must take what it is given at once; it is closed at the command's end
   */
  default RunningCommand stream(Command command, OutputStream output) {
    throw new UnsupportedOperationException(address() + " passes no output on");
  }

  /** Copies a local file to a remote one, which is replaced if it exists. */
  default void send(Path localFile, String remoteFile) {
    throw new UnsupportedOperationException(address() + " receives no files");
  }

  /** Copies a remote file to a local one, which must not exist yet. */
  void fetch(String remoteFile, Path localFile);

  /** User and machine, for messages: {@code root@dom0.example:22}. */
  String address();

  @Override
  void close();
}
