package io.slicewise.lab.daemon;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Queue;
import java.util.function.Function;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.AbstractCommandSupport;

/**
 * One command of one channel as a process of this machine. As with OpenSSH's server, the end of the
 * channel ends the command's input and no more.
 */
final class ProcessCommand extends AbstractCommandSupport {
  private static final int BLOCK = 1 << 15;
  private static final int NOT_FOUND = 127;

  private final Function<String, ProcessBuilder> shell;
  private final Queue<ProcessHandle> started;
  private Process process;

  /**
   * @param shell makes the process of a command line
   * @param started receives the process
   */
  ProcessCommand(
      String line, Function<String, ProcessBuilder> shell, Queue<ProcessHandle> started) {
    super(line, null);
    this.shell = shell;
    this.started = started;
  }

  @Override
  public void run() {
    try {
      Process begun = shell.apply(getCommand()).start();
      started.add(begun.toHandle());
      synchronized (this) {
        process = begun;
      }
      copying(getInputStream(), begun.getOutputStream(), true);
      Thread output = copying(begun.getInputStream(), getOutputStream(), false);
      Thread errors = copying(begun.getErrorStream(), getErrorStream(), false);
      int status = begun.waitFor();
      output.join();
      errors.join();
      onExit(status);
    } catch (IOException fault) {
      onExit(NOT_FOUND, String.valueOf(fault.getMessage()));
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      onExit(1);
    }
  }

  private static Thread copying(InputStream from, OutputStream to, boolean closes) {
    Thread thread = new Thread(() -> copy(from, to, closes), "lab-machine");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void copy(InputStream from, OutputStream to, boolean closes) {
    byte[] block = new byte[BLOCK];
    int length;
    try {
      while ((length = from.read(block)) >= 0) {
        to.write(block, 0, length);
        to.flush();
      }
    } catch (IOException ended) {
      // One of both ends is closed.
    }
    if (closes) {
      close(to);
    }
  }

  private static void close(OutputStream input) {
    try {
      input.close();
    } catch (IOException ended) {
      // The process has ended before its input.
    }
  }

  @Override
  public void destroy(ChannelSession channel) {
    synchronized (this) {
      if (process != null) {
        close(process.getOutputStream());
      }
    }
    getExecutorService().shutdown(); // unlike the inherited method, this interrupts nothing
  }
}
