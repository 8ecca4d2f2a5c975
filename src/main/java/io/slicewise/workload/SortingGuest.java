package io.slicewise.workload;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RunningCommand;
import io.slicewise.workload.target.BubbleSort;
import io.slicewise.workload.target.BubbleSort.SortReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A guest that sorts: one connection, on which sorts are run and checked one after the other. */
record SortingGuest(RemoteShell shell) {
  private static final int NOT_FOUND = 127;

  /** Matches the shell of a sort and its awk in the output of {@code ps}. */
  private static final Pattern SORT =
      Pattern.compile("\\s*(\\d+)\\s+(?:sh -c )?awk -v job=.*" + BubbleSort.MARK + " .*");

  /** The commands of POSIX and of busybox. */
  private static final List<Command> LISTINGS =
      List.of(
          Command.reading("ps", "-A", "-o", "pid=", "-o", "args="),
          Command.reading("ps", "-o", "pid,args"));

  /**
   * Sorts once. An interrupt ends the wait, but not the sort.
   *
   * @throws SlicewiseException if the guest cannot sort, sorts wrongly, or takes longer than {@code
   *     limit}
   */
  SortReport sort(BubbleSort sort, Duration limit) {
    Command command = new Command(sort.words(), limit, Command.Effect.READS);
    try (RunningCommand running = shell.start(command)) {
      return running
          .await(limit)
          .map(result -> checked(sort, result))
          .orElseThrow(() -> late(sort, limit));
    }
  }

  private SlicewiseException late(BubbleSort sort, Duration limit) {
    return fault(
        Thread.currentThread().isInterrupted()
            ? "was abandoned because the load ended"
            : "did not sort a list of %s numbers within %s s"
                .formatted(sort.length(), limit.toSeconds()),
        "use shorter lists or a longer limit");
  }

  private SortReport checked(BubbleSort sort, CommandResult result) {
    if (result.exitStatus() == NOT_FOUND) {
      throw fault(
          "has no awk, or no POSIX shell: " + firstLine(result.standardError()),
          "install an awk there (mawk, gawk, busybox)");
    }
    if (!result.succeeded()) {
      throw fault(
          "failed to sort: status %s, %s"
              .formatted(result.exitStatus(), firstLine(result.standardError())),
          "try this on the guest: awk 'BEGIN { print 1 }'");
    }
    SortReport report =
        SortReport.parse(result.standardOutput())
            .orElseThrow(
                () ->
                    fault(
                        "answered '" + firstLine(result.standardOutput()) + "' to a sort",
                        "check that its login shell prints nothing else"));
    String right = sort.expected().line();
    if (!report.answer().equals(right)) {
      throw fault(
          "sorted wrongly: it printed '" + firstLine(report.answer()) + "', not '" + right + "'",
          "its awk does not compute in double precision; install another");
    }
    return report;
  }

  /**
   * Ends only the sorts of an interrupted load: over SSH they do not notice that nobody waits for
   * them.
   */
  void endLeftOnes() {
    List<String> kill = new ArrayList<>(List.of("kill"));
    for (String line : processes().lines().toList()) {
      Matcher left = SORT.matcher(line);
      if (left.matches()) {
        kill.add(left.group(1));
      }
    }
    if (kill.size() > 1) {
      // kill reports an error for one that has ended in the meantime, which does not matter.
      shell.run(Command.changing(kill));
    }
  }

  private String processes() {
    String why = "";
    for (Command listing : LISTINGS) {
      CommandResult listed = shell.run(listing);
      if (listed.succeeded()) {
        return listed.standardOutput();
      }
      why = firstLine(listed.standardError());
    }
    throw fault("does not list its processes: " + why, "install ps there");
  }

  private SlicewiseException fault(String what, String hint) {
    return new SlicewiseException(
        ErrorKind.NOT_READY, "guest " + shell.address() + " " + what, hint);
  }

  private static String firstLine(String text) {
    return Optional.of(text.strip()).filter(line -> !line.isEmpty()).stream()
        .flatMap(String::lines)
        .findFirst()
        .orElse("no reason given");
  }
}
