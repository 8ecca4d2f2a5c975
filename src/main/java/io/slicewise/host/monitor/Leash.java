package io.slicewise.host.monitor;

import java.util.ArrayList;
import java.util.List;

/**
 * Ties a program on the host to its standard input. A command without a terminal learns of a lost
 * connection or harness only by the end of its input; otherwise a recording would continue, fill
 * the disk and block the trace buffers for others.
 *
 * <p>The shell becomes the program, so its process id and exit status are the program's. A guard in
 * the background waits for the end of the input. If the program still runs then, its output will
 * not be fetched: the guard interrupts it (and xenmon's collector, as xenmon itself does) and
 * removes the directory. If the program has ended, the logs are about to be fetched and their owner
 * removes the directory; after ten minutes the guard does.
 */
final class Leash {
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
