package io.slicewise.host.monitor;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RunningCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The observed host: runs the monitors' commands there, with {@code sudo -n} if configured.
 *
 * @param owner in the names of temporary directories made here; may be empty
 */
record Host(RemoteShell shell, boolean sudo, String owner) {
  private static final int NOT_EXECUTABLE = 126;
  private static final int NOT_FOUND = 127;

  CommandResult read(String... words) {
    return shell.run(Command.reading(words).throughSudo(sudo));
  }

  CommandResult read(Duration limit, List<String> words) {
    return shell.run(Command.reading(words).within(limit).throughSudo(sudo));
  }

  CommandResult change(String... words) {
    return shell.run(Command.changing(words).throughSudo(sudo));
  }

  /** Runs a command that must succeed. */
  CommandResult must(CommandResult result, String purpose) {
    if (!result.succeeded()) {
      throw new SlicewiseException(
          ErrorKind.TRIAL_FAILED,
          Phrase.of(
              "%s could not %s: %s failed with status %d%s",
              shell.address(),
              purpose,
              result.command().words().get(0),
              result.exitStatus(),
              said(result)),
          "run the command on the host by hand: " + result.command().quoted());
    }
    return result;
  }

  /** Returns whether the host has the program; it may still reject its arguments. */
  static boolean there(CommandResult result) {
    boolean sudoFoundNothing =
        result.exitStatus() == 1
            && result.standardError().startsWith("sudo: ")
            && result.standardError().contains("command not found");
    return result.exitStatus() != NOT_FOUND
        && result.exitStatus() != NOT_EXECUTABLE
        && !sudoFoundNothing;
  }

  /** Returns the last line of a failed command's output, as a clause. */
  static String said(CommandResult result) {
    String text = result.standardError().strip();
    String last = text.substring(text.lastIndexOf('\n') + 1).strip();
    return last.isEmpty() ? "" : " (" + last + ")";
  }

  /**
   * Starts a program that writes into that directory and ends when its connection does, see {@link
   * Leash}. Its standard output is discarded on the host: xenbaked of Xen 4.8 and later prints a
   * line at every context switch.
   */
  RunningCommand startOnLeash(Duration limit, RemoteDirectory directory, List<String> words) {
    return start(limit, Leash.around(directory.path(), words));
  }

  /** Starts a program whose output is needed after its end. */
  RunningCommand start(Duration limit, List<String> words) {
    return shell.start(Command.changing(words).within(limit).throughSudo(sudo));
  }

  /**
   * Makes files created by {@code sudo} readable for the login, which fetches them; not needed
   * without {@code sudo}.
   */
  void handOver(String path) {
    if (sudo) {
      CommandResult login =
          must(shell.run(Command.reading("id", "-u")), "find the login's user id");
      must(
          change("chown", "-R", login.standardOutput().strip(), path),
          "give " + path + " to the login");
    }
  }

  /**
   * Ties a program on the host to its standard input. A command without a terminal learns of a lost
   * connection or harness only by the end of its input; otherwise a recording would continue, fill
   * the disk and block the trace buffers for others.
   *
   * <p>The shell becomes the program, so its process id and exit status are the program's. A guard
   * in the background waits for the end of the input. If the program still runs then, its output
   * will not be fetched: the guard interrupts it (and xenmon's collector, as xenmon itself does)
   * and removes the directory. If the program has ended, the logs are about to be fetched and their
   * owner removes the directory; after ten minutes the guard does.
   */
  static final class Leash {
    private static final String SCRIPT =
        """
        exec 3<&0
        (
          trap '' HUP INT TERM
          cat <&3
          if kill -0 $$; then
            kill -INT $$
            n=0
            while kill -0 $$ && [ $n -lt 10 ]; do n=$((n + 1)); sleep 1; done
            kill -TERM $$
            case "$*" in *xenmon*) pkill -INT -x xenbaked;; esac
          else
            n=0
            while [ -d "$0" ] && [ $n -lt 120 ]; do n=$((n + 1)); sleep 5; done
          fi
          rm -rf -- "$0"
        ) </dev/null >/dev/null 2>&1 &
        exec "$@" </dev/null >/dev/null\
        """;

    private Leash() {}

    /**
     * Returns the words that run a program on a leash; the script is fixed, everything else are
     * parameters.
     */
    static List<String> around(String directory, List<String> program) {
      List<String> words = new ArrayList<>(List.of("sh", "-c", SCRIPT, directory));
      words.addAll(program);
      return words;
    }
  }
}
