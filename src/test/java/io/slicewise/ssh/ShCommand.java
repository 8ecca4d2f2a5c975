package io.slicewise.ssh;

import io.slicewise.ListeningPrograms;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.sshd.server.Signal;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.AbstractCommandSupport;

/** A command line in the hands of a real {@code /bin/sh}, or of a server that breaks down. */
final class ShCommand extends AbstractCommandSupport {
  private final boolean answers;
  private final Optional<Path> tools;
  private volatile Process process;

  /**
   * @param tools a directory with programs that are found before the machine's
   */
  ShCommand(String line, boolean answers, Optional<Path> tools) {
    super(line, null);
    this.answers = answers;
    this.tools = tools;
  }

  @Override
  public void run() {
    if (!answers) {
      getSession().close(true);
      return;
    }
    try {
      ProcessBuilder shell =
          new ProcessBuilder(ListeningPrograms.words(List.of("/bin/sh", "-c", getCommand())));
      tools.ifPresent(
          first -> shell.environment().merge("PATH", first + ":", (path, own) -> own + path));
      process = shell.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    getEnvironment().addSignalListener((where, signal) -> terminate(), Signal.TERM);
    pump(getInputStream(), process.getOutputStream(), true);
    Thread out = pump(process.getInputStream(), getOutputStream(), false);
    Thread err = pump(process.getErrorStream(), getErrorStream(), false);
    try {
      int status = process.waitFor();
      out.join();
      err.join();
      onExit(status);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Thread pump(InputStream from, OutputStream to, boolean closing) {
    Thread thread =
        new Thread(
            () -> {
              try {
                byte[] buffer = new byte[8192];
                for (int n = from.read(buffer); n >= 0; n = from.read(buffer)) {
                  to.write(buffer, 0, n);
                  to.flush();
                }
                if (closing) {
                  to.close();
                }
              } catch (IOException e) {
                // One end is gone; the other notices.
              }
            },
            "sh " + getCommand());
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  @Override
  public void destroy(ChannelSession channel) throws Exception {
    super.destroy(channel);
    if (process != null) {
      terminate();
    }
  }

  /** OpenSSH signals the whole process group. */
  private void terminate() {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
  }
}
