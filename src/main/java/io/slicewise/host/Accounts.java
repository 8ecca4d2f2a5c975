package io.slicewise.host;

import io.slicewise.observe.Observation.Reading;
import io.slicewise.ssh.Command;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What the kernel of a host counts of some guests' CPU time, read at both ends of a window. */
public interface Accounts {
  /** The part of waiting that is due to a quota. */
  String THROTTLED = "throttled";

  /** The mean number of a guest's tasks that were ready and did not run. */
  String TASKS_WAITING = "tasks_waiting";

  /** The share of its pCPUs' time in which other guests ran. */
  String OTHERS_RUN = "others_run";

  /** The share of its pCPUs' time in which tasks of no guest ran. */
  String OUTSIDE_RUN = "outside_run";

  /** The CPU time of a guest's emulator, as a share of one pCPU. */
  String EMULATOR_RUN = "emulator_run";

  /** Returns the command that reads all of them; it needs no privilege and leaves no files. */
  Command reading();

  /** Returns the use of each guest between two readings, as printed; empty if one is unusable. */
  Optional<Function<Domain, Used>> between(String before, String after);

  /**
   * What a guest did with the time of its vCPUs.
   *
   * @param run share of its vCPUs' time; {@code NaN} if it is not known
   * @param waiting share in which it was ready and did not run, likewise
   * @param notes for the reader, as clauses
   * @param measured what else is known
   * @param takers the shares of its pCPUs' time in which other guests ran, by their names; empty if
   *     that is not known
   */
  record Used(
      double run,
      double waiting,
      List<String> notes,
      List<Reading> measured,
      List<Reading> takers) {
    public Used {
      notes = List.copyOf(notes);
      measured = List.copyOf(measured);
      takers = List.copyOf(takers);
    }

    /** Returns an unknown use, with the reason. */
    public static Used unknown(String why) {
      return new Used(Double.NaN, Double.NaN, List.of(why), List.of(), List.of());
    }
  }
}
