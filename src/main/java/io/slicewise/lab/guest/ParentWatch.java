package io.slicewise.lab.guest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Ends a PostgreSQL server with this process, even if the process is killed.
 *
 * <p>A shell waits for the end of its standard input, a pipe that only this process holds open; the
 * kernel closes it with the process. The shell then stops the server named in its data directory,
 * if that is still the process with that number, and removes the data. It ignores the signals that
 * a terminal sends to all processes in the foreground.
 */
final class ParentWatch implements AutoCloseable {
  private static final String SCRIPT =
      """
      trap '' HUP INT QUIT TERM
      cat >/dev/null
      pid=
      [ ! -f "$0/postmaster.pid" ] || IFS= read -r pid <"$0/postmaster.pid"
      serves() {
        [ -n "$pid" ] && { cat "/proc/$pid/cmdline" || ps -p "$pid" -o args=; } 2>/dev/null | grep -qF -- "$0"
      }
      stopped() {
        n=0
        while serves; do
          [ $n -lt 10 ] || return 1
          n=$((n + 1))
          sleep 1
        done
      }
      for signal in INT QUIT KILL; do
        serves || break
        kill -s $signal "$pid"
        stopped && break
      done
      rm -rf -- "$0"
      """;
  private static final int PATIENCE_SECONDS = 60;

  private final Process shell;

  private ParentWatch(Process shell) {
    this.shell = shell;
  }

  /** Starts the watch before the server, so that no server is ever without a watch. */
  static ParentWatch ofServerIn(Path data) throws IOException {
    return new ParentWatch(
        new ProcessBuilder("sh", "-c", SCRIPT, data.toString())
            .directory(data.toAbsolutePath().getRoot().toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  /** Stops the server if it still runs, removes its data, and returns when the watch has ended. */
  @Override
  public void close() {
    try {
      shell.getOutputStream().close();
      if (!shell.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        shell.destroyForcibly();
      }
    } catch (IOException fault) {
      throw new UncheckedIOException("the watch over the lab's database could not be ended", fault);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
