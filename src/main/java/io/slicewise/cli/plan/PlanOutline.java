package io.slicewise.cli.plan;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.cli.plan.PlanDraft.Scatter;
import io.slicewise.cli.screens.LabelledLines;
import io.slicewise.experiment.Stop;
import io.slicewise.experiment.load.Load;
import io.slicewise.host.HostDescription;
import io.slicewise.sweep.guard.SettingChange;
import io.slicewise.sweep.preflight.GeneratorShares;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The output of {@code plan}, in this order; {@code --format json} prints it as is.
 *
 * @param deadMan the switch that the host is to have
 */
public record PlanOutline(
    @JsonUnwrapped Basis basis,
    Design design,
    @JsonUnwrapped LoadSource source,
    List<Arm> profiles,
    Timing time,
    Power power,
    List<Step> trials,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<SwitchOutline> deadMan,
    @JsonUnwrapped Remarks remarks) {

  /**
   * What the plan is made from.
   *
   * @param fingerprint of the resolved experiment
   */
  public record Basis(
      String experiment, String fingerprint, OptionalLong seed, String order, HostFacts host) {}

  /**
   * What makes the load.
   *
   * @param jmeter the JMeter plan; empty if nothing is loaded
   * @param generators the users of each; empty for this machine alone
   */
  public record LoadSource(
      Optional<JMeterPlan> jmeter,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<GeneratorShares> generators) {
    /** Returns how the users of each load are split over generators. */
    List<String> generatorLines() {
      return generators.map(GeneratorShares::lines).orElse(List.of()).stream()
          .map("generators, "::concat)
          .toList();
    }
  }

  /**
   * What a reader must know besides.
   *
   * @param problems obstacles to running the sweep or part of it
   * @param notes limitations of the sweep
   */
  public record Remarks(List<String> problems, List<String> notes) {}

  /**
   * The host as far as it could be read.
   *
   * @param unseen why it could not be read; empty if it was read or skipped
   * @param statedToolstack whose commands are shown if the host is not read
   * @param answerMillis how long the toolstack took to list the domains
   */
  public record HostFacts(
      String address,
      Optional<String> unseen,
      Optional<HostDescription> description,
      Optional<String> statedToolstack,
      int domains,
      double answerMillis) {}

  /**
   * The size of the sweep; a cell is one profile at one load.
   *
   * @param domains names by role
   * @param profiles controls among them
   * @param sessions of a switchback design, whose windows are the trials
   * @param factors their cells, resolution and aliases as sentences; empty without factors
   */
  public record Design(
      Map<String, List<String>> domains,
      @JsonUnwrapped LoadDesign load,
      int profiles,
      List<String> controls,
      @JsonUnwrapped Blocks blocks,
      Optional<Sessions> sessions,
      @JsonUnwrapped Aims aims,
      String baseline,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> factors) {
    int cells() {
      return profiles * load.loads();
    }

    int trials() {
      return cells() * blocks.repetitions();
    }
  }

  /**
   * What is loaded, and how much.
   *
   * @param levels the numbers on each axis of load; one that is not swept has none
   * @param parts of the workload with trials of their own; empty where all trials have all of it
   * @param lone conditions without neighbours with trials of their own
   * @param loads combinations of these
   */
  public record LoadDesign(
      String workload,
      Optional<String> target,
      @JsonAnyGetter Map<String, List<Object>> levels,
      List<String> parts,
      List<String> lone,
      int loads) {}

  /**
   * The blocks of a cell's trials.
   *
   * @param mostBlocks more than the repetitions where a {@code stop} may add blocks
   */
  public record Blocks(int repetitions, int mostBlocks) {
    boolean mayGrow() {
      return mostBlocks > repetitions;
    }
  }

  /**
   * What is looked for, and what must not get worse.
   *
   * @param stop when it is known well enough
   */
  public record Aims(Optional<Stop> stop, Optional<String> goal, Map<String, String> guard) {}

  /**
   * The sessions of a switchback design.
   *
   * @param perLoad at each load, under each boot
   * @param all sessions of the run
   * @param window that is measured under one profile
   * @param washOut before it; the least where {@code auto} decides in the session
   * @param auto whether it does
   * @param session how long the longest session takes at least, warm-up included
   * @param pairs whether its blocks are pairs in the order of a coin
   */
  public record Sessions(
      int perLoad,
      int all,
      int blocks,
      Duration window,
      Duration washOut,
      boolean auto,
      Duration session,
      boolean pairs) {}

  /**
   * The JMeter plan.
   *
   * @param reads the properties it reads
   * @param counts what is counted of it, as sentences; empty where the workload knows
   * @param ignores properties that the experiment gives and that it does not read; JMeter's own,
   *     whose names have dots, are not among them
   */
  public record JMeterPlan(
      String file, List<String> reads, List<String> counts, List<String> ignores) {}

  /**
   * One profile.
   *
   * @param needs {@code sched=sedf} when the host's scheduler is another one now
   * @param settings what it sets, by domain, as text
   * @param changes what would be sent to a host that is as found; empty when the host is not known
   */
  public record Arm(
      String profile,
      Optional<String> scheduler,
      boolean baseline,
      Optional<String> needs,
      Map<String, String> settings,
      List<SettingChange> changes) {}

  /**
   * The duration, without the time to apply, verify and collect.
   *
   * @param trials that can run now
   * @param end of these, if they began at once
   * @param longest time of those and of all blocks a {@code stop} may add, cut at its bound
   * @param latestEnd of these
   * @param later time of the trials that wait for another scheduler, by what they need
   * @param work whether a trial ends with its work, so that all times are the longest possible
   */
  public record Timing(
      @JsonUnwrapped Phases phases,
      int trials,
      Duration now,
      OffsetDateTime end,
      Duration longest,
      OffsetDateTime latestEnd,
      Map<String, Duration> later,
      boolean work) {
    String bound() {
      return work ? "at most" : "at least";
    }
  }

  /** The phases of a trial, the ramp being part of the warm-up, and all of it. */
  public record Phases(
      Duration warmUp, Duration ramp, Duration measure, Duration coolDown, Duration trial) {}

  /**
   * The power of the design.
   *
   * @param scatter of a trial within its cell
   * @param smallestEffect change shown four times in five, as a share; {@code NaN} if none can be
   * @param smallestWithAll the same if every block that a {@code stop} allows is run
   * @param sessions of a switchback design; empty for trials
   * @param pairs of a study of pairs
   */
  public record Power(
      @JsonUnwrapped Scatter scatter,
      int blocks,
      int comparisons,
      double smallestEffect,
      int mostBlocks,
      double smallestWithAll,
      boolean restsOnNormality,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<SessionsPower> sessions,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<PairsPower> pairs) {}

  /**
   * What pairs can show.
   *
   * @param scatter deviation of a pair's log ratio
   */
  public record PairsPower(double scatter, List<Needed> needed) {
    public PairsPower {
      needed = List.copyOf(needed);
    }

    /**
     * The pairs of one candidate after which half of all studies have shown a change.
     *
     * @param change as a share
     * @param pairs empty beyond what is searched
     * @param time that they take at least, for all candidates
     */
    public record Needed(double change, OptionalInt pairs, Duration time) {}
  }

  /**
   * The power of switchback sessions.
   *
   * @param within deviation of a block's log ratio within its session
   * @param between deviation of the effect between sessions
   * @param smallestEffect change shown four times in five, as a share; {@code NaN} if none can be
   * @param blocksOfTrials that would detect the same; empty beyond a thousand
   * @param trials of those blocks
   * @param trialsTime that they take at least, each measuring as long as trials do by default
   * @param sharper a layout of about the same time that detects clearly less
   */
  public record SessionsPower(
      int sessions,
      int blocks,
      double within,
      double between,
      double smallestEffect,
      OptionalInt blocksOfTrials,
      long trials,
      Duration trialsTime,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Layout> sharper) {}

  /** Sessions of blocks, and the change that they show four times in five, as a share. */
  public record Layout(int sessions, int blocks, double smallestEffect) {}

  /** A planned trial; the start is empty while it waits for another scheduler. */
  public record Step(
      int number,
      int block,
      String profile,
      @JsonUnwrapped Load load,
      Optional<OffsetDateTime> earliestStart) {}

  /**
   * The dead man's switch of a run, for {@code plan}.
   *
   * @param sentence what it does and when
   * @param program that runs on the host; empty if the host was not read
   */
  public record SwitchOutline(String sentence, List<String> program) {
    public SwitchOutline {
      program = List.copyOf(program);
    }

    /** Adds its lines, with the program if every command is shown. */
    void addTo(LabelledLines lines, boolean everyCommand) {
      lines.add("Switch", sentence);
      if (everyCommand && !program.isEmpty()) {
        lines.add("", "by this program:");
        program.forEach(lines::addVerbatim);
      }
    }
  }
}
