package io.slicewise.load.access;

import io.slicewise.base.units.Visible;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.ssh.RemoteShellException.Kind;
import io.slicewise.ssh.RunningCommand;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * One command on the log's machine that answers as long as its input is open. It holds the log's
 * files open, so that renaming or deleting them loses nothing. A mark that nobody can guess ends
 * each answer, so that no line of a log can.
 *
 * <p>It needs a POSIX shell, {@code /proc}, and {@code stat}, {@code date}, {@code tail} and {@code
 * head} of coreutils or busybox. Bytes are asked for, not sent by themselves, so nothing piles up.
 */
record LogChannel(RemoteShell shell, RunningCommand running, Answer answer)
    implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  /**
   * {@code look} prints the time and the files that are there: by name, and those that are open.
   * {@code open N NAME}, {@code close N}, {@code read N FROM COUNT} work on the open ones.
   */
  private static final String PROGRAM =
      """
      LC_ALL=C; export LC_ALL
      IFS= read -r mark || exit
      while read -r verb n from rest; do
        case $verb in
          look) date '+%s.%N %z'
            for n in "$1" /proc/self/fd/[3-9]; do [ -e "$n" ] && set -- "$@" "$n"; done
            [ $# -gt 1 ] && { one=$1; shift; stat -L -c '%d:%i %s %n' -- "$@" 2>/dev/null; set -- "$one"; } ;;
          list) stat -L -c '%d:%i %Y %n' -- "$1"* 2>/dev/null ;;
          open) eval "command exec $n<\\"\\$from\\${rest:+ }\\$rest\\"" 2>/dev/null \\
            && stat -L -c '%d:%i %s' "/proc/self/fd/$n" ;;
          close) eval "exec $n<&-" ;;
          read) tail -c "+$from" "/proc/self/fd/$n" | head -c "$rest" ;;
        esac
        printf '\\n%s\\n' "$mark"
      done
      """;

  /**
   * Starts the command.
   *
   * @param shell is closed with the channel
   * @throws RemoteShellException if that is not possible
   */
  static LogChannel open(RemoteShell shell, String file) {
    String mark = new BigInteger(128, new SecureRandom()).toString(36);
    Answer answer = new Answer(("\n" + mark + "\n").getBytes(StandardCharsets.US_ASCII));
    try {
      RunningCommand running =
          shell.stream(
              new Command(
                  List.of("sh", "-c", PROGRAM, "slicewise-log", file), LIMIT, Command.Effect.READS),
              answer);
      LogChannel channel = new LogChannel(shell, running, answer);
      running.write(mark + "\n");
      return channel;
    } catch (RemoteShellException | Error fault) {
      shell.close();
      throw fault;
    }
  }

  /**
   * Sends a line and returns the answer.
   *
   * @throws RemoteShellException if there is none: the connection is lost, or the machine hangs
   */
  byte[] ask(String line) {
    answer.clear();
    running.write(line + "\n");
    return answer
        .await(LIMIT)
        .orElseThrow(
            () ->
                new RemoteShellException(
                    Kind.CONNECTION_LOST,
                    "%s did not answer within %d s.".formatted(shell.address(), LIMIT.toSeconds()),
                    "Check that the machine is up.",
                    null));
  }

  List<String> lines(String line) {
    return new String(ask(line), StandardCharsets.UTF_8).lines().map(Visible::line).toList();
  }

  String address() {
    return shell.address();
  }

  @Override
  public void close() {
    try {
      running.endInput();
      running.close();
    } finally {
      shell.close();
    }
  }

  /** The answer to the last question, as far as it has arrived. */
  private static final class Answer extends OutputStream {
    private final byte[] mark;
    private byte[] bytes = new byte[1 << 16];
    private int length;
    private boolean ended;

    Answer(byte[] mark) {
      this.mark = mark;
    }

    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] source, int offset, int count) {
      if (length + count > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + count));
      }
      System.arraycopy(source, offset, bytes, length, count);
      length += count;
      if (isWhole()) {
        notifyAll();
      }
    }

    private boolean isWhole() {
      return length >= mark.length
          && Arrays.equals(bytes, length - mark.length, length, mark, 0, mark.length);
    }

    synchronized void clear() {
      length = 0;
    }

    synchronized Optional<byte[]> await(Duration limit) {
      long until = System.nanoTime() + limit.toNanos();
      while (!isWhole() && !ended && System.nanoTime() < until) {
        try {
          wait(Math.max(1, (until - System.nanoTime()) / 1_000_000));
        } catch (InterruptedException stopped) {
          Thread.currentThread().interrupt();
          return Optional.empty();
        }
      }
      return isWhole() ? Optional.of(Arrays.copyOf(bytes, length - mark.length)) : Optional.empty();
    }

    @Override
    public synchronized void close() {
      ended = true;
      notifyAll();
    }
  }
}
