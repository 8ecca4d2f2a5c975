package io.slicewise.ssh;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.Signal;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;

/** A command line in the hands of a real {@code /bin/sh}, or of a server that breaks down. */
final class ShCommand implements Command {
  private final String line;
  private final boolean answers;
  private InputStream input;
  private OutputStream output;
  private OutputStream errors;
  private ExitCallback exit;
  private volatile Process process;

  ShCommand(String line, boolean answers) {
    this.line = line;
    this.answers = answers;
  }

  @Override
  public void start(ChannelSession channel, Environment environment) throws IOException {
    if (!answers) {
      channel.getSession().close(true);
      return;
    }
    process = new ProcessBuilder("/bin/sh", "-c", line).start();
    environment.addSignalListener((where, signal) -> terminate(), Signal.TERM);
    pump(input, process.getOutputStream(), true);
    Thread out = pump(process.getInputStream(), output, false);
    Thread err = pump(process.getErrorStream(), errors, false);
    inBackground(
        () -> {
          int status = process.waitFor();
          out.join();
          err.join();
          exit.onExit(status);
        });
  }

  private Thread pump(InputStream from, OutputStream to, boolean closing) {
    return inBackground(
        () -> {
          byte[] buffer = new byte[8192];
          for (int n = from.read(buffer); n >= 0; n = from.read(buffer)) {
            to.write(buffer, 0, n);
            to.flush();
          }
          if (closing) {
            to.close();
          }
        });
  }

  private interface Step {
    void run() throws IOException, InterruptedException;
  }

  private Thread inBackground(Step step) {
    Thread thread =
        new Thread(
            () -> {
              try {
                step.run();
              } catch (IOException e) {
                // One end is gone; the other notices.
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "sh " + line);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  @Override
  public void destroy(ChannelSession channel) {
    if (process != null) {
      terminate();
    }
  }

  /** OpenSSH signals the whole process group. */
  private void terminate() {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
  }

  @Override
  public void setInputStream(InputStream in) {
    input = in;
  }

  @Override
  public void setOutputStream(OutputStream out) {
    output = out;
  }

  @Override
  public void setErrorStream(OutputStream err) {
    errors = err;
  }

  @Override
  public void setExitCallback(ExitCallback callback) {
    exit = callback;
  }
}
