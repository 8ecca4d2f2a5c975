package io.slicewise.workload.tpc;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.Measure;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.Quantity;
import io.slicewise.workload.target.Database;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a workload of queries measures: a window of time, or a fixed amount of work with caches in a
 * known state.
 *
 * @param passes how often a stream repeats its queries; 0: until the window's end
 * @param within the longest time of the work; empty for a window of time
 * @param state {@code warm}, {@code cold}, or empty for as they are
 * @param statements whether PostgreSQL reports its own use of a statement
 */
record WorkOptions(
    long passes, Optional<Duration> within, String state, boolean statements, ColdStart cold) {
  static final String KEEP = "keep-data";

  private static final String PASSES = "passes";
  private static final String MEASURE = "measure";
  private static final String WORK = "work";
  private static final String WITHIN = "within";
  private static final String STATE = "state";
  private static final String WARM = "warm";
  private static final String COLD = "cold";
  private static final String INSTRUMENT = "instrument";
  private static final Duration USUAL = Duration.ofMinutes(10);
  private static final long MOST_PASSES = 1_000_000;

  static final List<Option> OPTIONS =
      List.of(
          Option.withDefault(
              PASSES,
              new OptionKind.Whole(0, MOST_PASSES),
              0L,
              "how often a stream repeats them; 0: until the window's end"),
          Option.optional(
              MEASURE,
              new OptionKind.Word(List.of(WORK)),
              "work: a trial is its passes, from the first request to the last answer; default:"
                  + " the experiment's window"),
          Option.optional(
              WITHIN,
              Quantity.Time.from(Duration.ofSeconds(1)),
              "the longest time of measured work; default: 10m"),
          Option.optional(
              STATE,
              new OptionKind.Word(List.of(WARM, COLD)),
              "the caches of measured work, which is checked. warm: every query runs once before;"
                  + " cold: the commands of 'cold' run before, and there is one execution"),
          Option.optional(
              INSTRUMENT,
              new OptionKind.Word(List.of("statements")),
              "statements: after measured work, each query runs again while PostgreSQL reports its"
                  + " own use; needs a superuser, or GRANT SET ON PARAMETER"),
          Option.optional(
              COLD,
              new OptionKind.Many(new OptionKind.Group(ColdStart.OPTIONS), 1, 20),
              "commands that empty the caches before each trial; default: none"));

  /** Returns the option that keeps the data between trials. */
  static Option keep(String about) {
    return Option.withDefault(KEEP, new OptionKind.Flag(), false, about);
  }

  /** Returns the longest time of a fixed amount of work; empty for a window of time. */
  static Optional<Duration> work(Options options) {
    return options.text(MEASURE).map(work -> options.has(WITHIN) ? options.time(WITHIN) : USUAL);
  }

  /**
   * Reads the options.
   *
   * @param queries that one trial runs
   * @throws SlicewiseException if they contradict each other
   */
  static WorkOptions of(String workload, Options options, int queries) {
    WorkOptions read =
        new WorkOptions(
            options.whole(PASSES),
            work(options),
            options.text(STATE).orElse(""),
            options.has(INSTRUMENT),
            ColdStart.of(options.groups(COLD)));
    read.contradiction(queries, options.has(WITHIN))
        .ifPresent(
            why -> {
              throw SlicewiseException.input(
                  "workload %s: %s".formatted(workload, why.getKey()), why.getValue());
            });
    return read;
  }

  private Optional<Map.Entry<String, String>> contradiction(int queries, boolean bounded) {
    if (within.isEmpty() && (!state.isEmpty() || statements || bounded)) {
      return fault(
          "'state', 'instrument' and 'within' need a fixed amount of work", "add 'measure: work'");
    }
    if (within.isPresent() && passes == 0) {
      return fault(
          "'measure: work' needs 'passes', which say how much work it is",
          "use at least 5, and as many as take 10 seconds; cold: 1");
    }
    if (state.equals(COLD) && (passes != 1 || queries != 1 || cold.steps().isEmpty())) {
      return fault(
          "'state: cold' needs 'cold', 'passes: 1' and one query a trial",
          "with more, only the first execution would be cold; use 'each: query'");
    }
    if (state.equals(WARM) && !cold.steps().isEmpty()) {
      return fault("'state: warm' and 'cold' contradict each other", "remove one of them");
    }
    return statements && queries != 1
        ? fault("'instrument' needs one query a trial", "use 'each: query'")
        : Optional.empty();
  }

  private static Optional<Map.Entry<String, String>> fault(String what, String hint) {
    return Optional.of(Map.entry(what, hint));
  }

  boolean isWork() {
    return within.isPresent();
  }

  /** The properties of a plan: its passes, and that it ends with the last instead of resting. */
  Map<String, String> properties() {
    String count = Long.toString(passes);
    return isWork() ? Map.of(PASSES, count, "after", "end") : Map.of(PASSES, count);
  }

  /**
   * Brings the caches into their state, and begins to count.
   *
   * @throws SlicewiseException if a command fails, or the server's own cache is not empty although
   *     it should be
   */
  void prepare(Asked asked, TouchedBlocks counts) {
    coldStart(asked.database());
    if (state.equals(WARM)) {
      asked.run();
    }
    if (isWork()) {
      counts.begin(asked);
    }
  }

  private void coldStart(Database database) {
    if (!state.equals(COLD)) {
      cold.run(database);
      return;
    }
    Instant before = Asked.started(database);
    cold.run(database);
    if (!Asked.started(database).isAfter(before)) {
      throw new SlicewiseException(
          ErrorKind.NOT_READY,
          "'cold' did not restart PostgreSQL, so its own cache is as full as before",
          "stop it with the first command and start it with the last");
    }
  }

  /**
   * Returns what PostgreSQL counted for the work, and reports for further executions; what it does
   * not show is missing.
   *
   * @param kept whether the stream's queries share a connection
   */
  List<Measure> measures(Asked asked, TouchedBlocks counts, long executions, boolean kept) {
    if (!isWork()) {
      return List.of();
    }
    List<Measure> all = new ArrayList<>(counts.measures(asked, executions));
    if (statements) {
      try {
        coldStart(asked.database());
        all.addAll(StatementUsage.of(asked, kept ? passes : 1).measures());
      } catch (SlicewiseException | SQLException notShown) {
        // The measured work stays as it is.
        return all;
      }
    }
    return all;
  }
}
