package io.slicewise.lab.guest;

import io.slicewise.lab.guest.GuestHost.Work;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.ProcessTable;
import io.slicewise.lab.shell.ProcessTable.HostProcess;
import io.slicewise.lab.shell.Program;
import io.slicewise.lab.shell.Shell;
import io.slicewise.workload.target.BubbleSort;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/**
 * The programs of a guest that supports only the sort of the workload {@code cpu}. It recognizes
 * the exact script and program of the sort; the list is really sorted, with the same comparisons
 * and exchanges, and the guest's vCPUs spend the time that awk would need.
 */
final class SortingShell {
  /**
   * The cost of a comparison, including its share of the exchanges: mawk 1.3.4 took 0.25 s for the
   * 1,999,000 of a list of 2,000 on a Xeon with 2.1 GHz.
   */
  static final Duration COMPARISON = Duration.ofNanos(125);

  /** Shells count ticks of 10 ms and truncate. */
  private static final long TICK_NANOS = 10_000_000;

  private static final long TICKS_PER_MINUTE = 6_000;
  private static final int NOT_FOUND = 127;

  /** Sorts of one guest take turns of this length, as processes do. */
  private static final long TURN_NANOS = 10_000_000;

  /**
   * The number of turns submitted at once; a sort that is killed in the meantime still gets them.
   */
  private static final int TURNS_AT_ONCE = 50;

  private final Scene.Stage stage;
  private final ProcessTable processes = new ProcessTable();

  private SortingShell(Scene.Stage stage) {
    this.stage = stage;
  }

  /** Returns the shell of the stage's first guest. */
  static Shell of(HostFiles files, Scene.Stage stage) {
    SortingShell guest = new SortingShell(stage);
    Map<String, Program> tools = Map.of("env", guest::sh, "ps", guest::ps, "kill", guest::kill);
    return new Shell(tools, files, guest.processes);
  }

  private int sh(Invocation invocation) throws IOException, InterruptedException {
    Optional<BubbleSort> sort = sort(invocation.words());
    if (sort.isEmpty()) {
      invocation.complain("sh: this guest only supports the sort of the workload cpu\n");
      return NOT_FOUND;
    }
    BubbleSort.Answer answer = sort.get().sort();
    long nanos = Math.round(sort.get().comparisons() * COMPARISON.toNanos() * stage.scale());
    spend(nanos);
    long ticks = nanos / TICK_NANOS;
    invocation.print("%s\n0m0.000000s 0m0.000000s\n", answer.line());
    invocation.print(
        "%dm%d.%02d0000s 0m0.000000s\n",
        ticks / TICKS_PER_MINUTE, ticks % TICKS_PER_MINUTE / 100, ticks % 100);
    return 0;
  }

  private void spend(long nanos) throws IOException, InterruptedException {
    for (long left = nanos; left > 0; left -= TURN_NANOS * TURNS_AT_ONCE) {
      List<Work> turns = new ArrayList<>();
      for (long rest = left; rest > 0 && turns.size() < TURNS_AT_ONCE; rest -= TURN_NANOS) {
        turns.add(new Work(stage.guest(0), Math.min(rest, TURN_NANOS)));
      }
      try {
        stage.host().spend(turns).toCompletableFuture().get();
      } catch (ExecutionException gone) {
        throw new IOException(gone.getCause().getMessage(), gone);
      }
    }
  }

  /** Returns the sort of a command, if it is one. */
  private static Optional<BubbleSort> sort(List<String> words) {
    if (words.size() != new BubbleSort(2, 1).words().size()) {
      return Optional.empty();
    }
    try {
      int length = Integer.parseInt(words.get(words.size() - 3));
      int seed = Integer.parseInt(words.get(words.size() - 2));
      return Optional.of(new BubbleSort(length, seed)).filter(it -> it.words().equals(words));
    } catch (IllegalArgumentException other) {
      return Optional.empty();
    }
  }

  /** Lists processes as needed for {@code cpu}: by number and command line. */
  private int ps(Invocation invocation) throws IOException {
    for (HostProcess process : processes.processes()) {
      String started = String.join(" ", process.words()).replaceFirst("^env LC_ALL=C ", "");
      invocation.print("%7d %s\n", process.pid(), started);
    }
    return 0;
  }

  private int kill(Invocation invocation) throws IOException {
    int status = 0;
    for (String pid : invocation.arguments()) {
      if (!pid.matches("\\d{1,9}") || !processes.signal(Integer.parseInt(pid), 15)) {
        invocation.complain("kill: (%s) - No such process\n", pid);
        status = 1;
      }
    }
    return status;
  }
}
