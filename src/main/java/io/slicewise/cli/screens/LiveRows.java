package io.slicewise.cli.screens;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.Phrase;
import io.slicewise.cli.screens.ProgressScreen.ExperimentPart;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Order;
import io.slicewise.experiment.PairsDesign;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.SessionDesign;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.WindowPlace;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.experiment.goal.DomainMetric;
import io.slicewise.load.generator.LoadProgress;
import io.slicewise.load.generator.LoadProgress.Worst;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunRecord;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.result.PairedStudy;
import io.slicewise.run.result.Precision;
import io.slicewise.run.result.TrialResult;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The rows of the live screen. Guests are not monitored live, so their shares are those of the last
 * trial and marked as such; rows without data are left out.
 */
final class LiveRows {
  private static final DateTimeFormatter CLOCK_TIME =
      DateTimeFormatter.ofPattern("EEE HH:mm", Locale.ROOT);
  private static final int SHORTEST_BAR = 10;
  private static final int LONGEST_BAR = 30;
  private static final int LONGEST_NAME = 12;

  private final Experiment experiment;
  private final ExperimentPart part;
  private final TimeLeft pace;
  private Optional<Now> now = Optional.empty();
  private LoadProgress load = LoadProgress.NONE;
  private Optional<ChangedSettings> safe = Optional.empty();
  private List<String> shares = List.of();
  private String last = "";
  private String again = "";
  private String race = "";
  private String remark = "";
  private Optional<Precision> precise = Optional.empty();
  private Optional<PairedStudy> pairs = Optional.empty();

  LiveRows(Experiment experiment, ExperimentPart part, TimeLeft pace) {
    this.experiment = experiment;
    this.part = part;
    this.pace = pace;
  }

  private record Now(Trial trial, String step, Duration expected, Instant entered) {}

  void enter(Trial trial, String step, Duration expected, Instant at) {
    if (now.filter(before -> before.trial().equals(trial)).isEmpty()) {
      load = LoadProgress.NONE;
    }
    now = Optional.of(new Now(trial, step, expected, at));
  }

  void load(LoadProgress progress) {
    load = progress;
  }

  void safe(ChangedSettings settings) {
    safe = Optional.of(settings);
  }

  void precision(Precision precision) {
    precise = Optional.of(precision);
  }

  void study(PairedStudy study) {
    pairs = Optional.of(study);
  }

  void race(String text) {
    race = text;
  }

  void remark(String text) {
    remark = text;
  }

  void finished(TrialResult result, int number) {
    shares = TrialWords.shares(result);
    again = "";
    last =
        "%s %s%s"
            .formatted(
                number,
                TrialWords.name(result.trial()),
                result.valid()
                    ? " ok: " + numbers(result)
                    : ": INVALID " + String.join("; ", result.reasons()));
  }

  void failed(Trial trial, int number, String reason) {
    again = "";
    last = number + " " + TrialWords.name(trial) + ": FAILED " + reason;
  }

  void queuedAgain(int repeat, int most) {
    again = "queued again, " + repeat + " of " + most;
  }

  /** Returns what was measured, with the metric of a domain that is the goal. */
  String numbers(TrialResult result) {
    return TrialWords.numbers(
        result,
        experiment
            .tuning()
            .map(tuning -> tuning.goal().metric())
            .or(() -> experiment.aim().goal().map(Aim.Goal::metric))
            .flatMap(DomainMetric::of));
  }

  /** {@code 12 h 40 m -> Sat 07:04}, with the time of later parts. */
  String left(Clock clock, int trials) {
    return left(ZonedDateTime.now(clock), trials);
  }

  private String left(ZonedDateTime at, int trials) {
    Duration left = pace.leftOfAll(trials);
    return DurationText.clock(left) + " -> " + CLOCK_TIME.format(at.plus(left));
  }

  /** Returns one line for each row with data, each narrower than {@code width}. */
  List<String> lines(ZonedDateTime at, int ended, int toRun, int width) {
    List<String> lines = new ArrayList<>();
    lines.add(head(ended, toRun, width));
    lines.add(time(at, toRun - ended).fit(width));
    if (!race.isEmpty()) {
      lines.add(LiveRow.of("race", race).fit(width));
    } else if (!remark.isEmpty()) {
      lines.add(LiveRow.of("note", remark).fit(width));
    }
    now.ifPresent(step -> lines.add(now(step, at.toInstant()).fit(width)));
    pairs.flatMap(this::underWay).ifPresent(its -> lines.add(pairs(its).fit(width)));
    if (!shares.isEmpty()) {
      lines.add(new LiveRow("guests", "last " + unit(), shares).fit(width));
    }
    if (load.activeUsers() > 0) {
      lines.add(generator().fit(width));
    }
    safe.map(ChangedSettings::text)
        .ifPresent(words -> lines.add(LiveRow.of("safe", words.get(0), words.get(1)).fit(width)));
    if (!last.isEmpty()) {
      lines.add(
          (again.isEmpty() ? LiveRow.of("last", last) : LiveRow.of("last", last, again))
              .fit(width));
    }
    lines.add(
        LiveRow.of(
                "Ctrl-C",
                "stop after this "
                    + unit()
                    + "; twice: now. Both restore the host; continue with slicewise"
                    + " resume")
            .fit(width));
    return lines;
  }

  private String head(int ended, int toRun, int width) {
    double done =
        experiment.tuning().isPresent()
            ? pace.share(toRun - ended)
            : toRun == 0 ? 0 : 1.0 * ended / toRun;
    String where =
        (part.text().isEmpty() ? "" : "  " + part.text())
            + now.map(step -> where(step.trial())).orElse("")
            + (experiment.design().isPresent() ? "  " : "  trial ")
            + Math.min(ended + 1, toRun)
            + "/"
            + toRun
            + "  ";
    String share =
        Phrase.of("  %.0f %%  %s", Math.floor(100 * done), DurationText.clock(pace.elapsed()));
    int room = width - 1 - where.length() - share.length();
    int name = Math.max(0, Math.min(experiment.name().length(), room - SHORTEST_BAR));
    int bar = Math.max(0, Math.min(LONGEST_BAR, room - name));
    int full = (int) (bar * done);
    return experiment.name().substring(0, name)
        + where
        + "#".repeat(full)
        + "-".repeat(bar - full)
        + share;
  }

  private String where(Trial trial) {
    if (trial.place().isPresent()) {
      WindowPlace place = trial.place().get();
      boolean pairs = experiment.pairs().isPresent();
      return Phrase.of(
          pairs ? "  session %d pair %s window %d" : "  session %d block %s window %d",
          place.session(),
          experiment.tuning().isPresent()
              ? place.block()
              : ofAll(place.block(), experiment.design().map(SessionDesign::blocks).orElse(0)),
          place.position());
    }
    return experiment.order().equals(Order.BLOCKS) && experiment.tuning().isEmpty()
        ? "  block " + trial.block() + " of " + blocks()
        : "";
  }

  /**
   * Returns {@code 2/3}, or only the number if it exceeds what was planned, as in the sessions of a
   * tune, which go on as long as the race does.
   */
  static String ofAll(int number, int planned) {
    return number <= planned ? number + "/" + planned : String.valueOf(number);
  }

  /** Returns what is measured at once, in a word. */
  String unit() {
    return experiment.unit();
  }

  private String blocks() {
    int most = Plan.mostBlocks(experiment);
    return experiment.repetitions() + (most > experiment.repetitions() ? "-" + most : "");
  }

  private LiveRow time(ZonedDateTime at, int trials) {
    List<String> parts = new ArrayList<>();
    int cells = experiment.cells();
    int block = now.map(step -> step.trial().block()).orElse(1);
    int further = Plan.mostBlocks(experiment) - Math.max(block, experiment.repetitions());
    if (further > 0) {
      parts.add("with " + further + " more blocks " + left(at, trials + further * cells));
    }
    precise.ifPresent(
        known -> parts.add("precise already: " + known.precise() + " of " + known.cells().size()));
    if (part.of() > 1) {
      parts.add("this part " + DurationText.clock(pace.left(trials)));
    }
    return new LiveRow("left", left(at, trials), parts);
  }

  /** Returns the candidate of the pair under way, or of the last one. */
  private Optional<PairedStudy.Candidate> underWay(PairedStudy study) {
    String profile = now.map(step -> step.trial().profile()).orElse("");
    return study.candidates().stream()
        .filter(candidate -> candidate.name().equals(profile))
        .findFirst()
        .or(() -> study.candidates().stream().filter(one -> !one.pairs().isEmpty()).findFirst());
  }

  /** Returns the evidence on a logarithmic scale that is full where it decides. */
  private LiveRow pairs(PairedStudy.Candidate candidate) {
    double needed = PairedStudy.LEVEL / pairs.orElseThrow().candidates().size();
    double most = candidate.bets().most(0);
    int full = (int) Math.min(SHORTEST_BAR, SHORTEST_BAR * Math.log(most) / Math.log(1 / needed));
    PairedStudy.Harm spent = pairs.orElseThrow().spent();
    List<String> parts = new ArrayList<>();
    parts.add(
        Phrase.of(
            "E %.1f [%s%s] %.0f",
            most, "#".repeat(full), "-".repeat(SHORTEST_BAR - full), 1 / needed));
    PairsDesign.Harm budget = experiment.pairs().orElseThrow().harm();
    budget
        .time()
        .ifPresent(
            allowed ->
                parts.add(
                    "harm %s of %s"
                        .formatted(
                            DurationText.clock(Duration.ofSeconds(Math.round(spent.seconds()))),
                            DurationText.clock(allowed))));
    budget
        .requests()
        .ifPresent(
            allowed -> parts.add(Phrase.of("harm %,d of %,d requests", spent.requests(), allowed)));
    if (spent.cut() + spent.incumbentCut() > 0) {
      parts.add("cut short %d : %d".formatted(spent.cut(), spent.incumbentCut()));
    }
    return new LiveRow("pairs", candidate.text(), parts);
  }

  private LiveRow now(Now step, Instant at) {
    List<String> parts = new ArrayList<>();
    if (!step.trial().load().isNone()) {
      parts.add(step.trial().load().mark());
    }
    parts.add(
        "%s %s%s"
            .formatted(
                step.step(),
                DurationText.clock(Duration.between(step.entered(), at)),
                step.expected().isZero() ? "" : "/" + DurationText.clock(step.expected())));
    if (load.samples() > 0) {
      parts.add(TrialWords.number("%.0f/s", load.ratePerSecond()));
      parts.add(TrialWords.number("p95 %.0f ms", load.p95Millis()));
      parts.add(TrialWords.errors(load.failed(), load.samples()));
    }
    return new LiveRow("now", step.trial().profile(), parts);
  }

  /** Returns the current values and the limits that apply at the end of the trial. */
  private LiveRow generator() {
    Worst cpu = load.cpuShare();
    Worst late = load.latenessP99Millis();
    return LiveRow.of(
        "valid",
        TrialWords.number(
                cpu.generator().isEmpty() ? "generator CPU %.0f %%" : "CPU %.0f %%",
                100 * cpu.value())
            + verdict(cpu, experiment.limits().generator().cpuShare()),
        TrialWords.number("late p99 %.1f ms", late.value())
            + verdict(late, experiment.limits().generator().latenessMillis()),
        load.activeUsers() + " threads");
  }

  private static String verdict(Worst worst, double limit) {
    if (Double.isNaN(worst.value())) {
      return "";
    }
    String verdict = worst.value() <= limit ? " ok" : " HIGH";
    return worst.generator().isEmpty()
        ? verdict
        : verdict + " " + LiveRow.shortened(worst.generator(), LONGEST_NAME);
  }

  /**
   * A labelled line of the live screen, cut to the width of the terminal.
   *
   * @param lead its first part, which is shortened before any other is left out
   * @param rest further parts, the most important first
   */
  record LiveRow(String label, String lead, List<String> rest) {
    private static final String BETWEEN = " | ";
    private static final String CUT = "...";
    private static final int LABEL = 8;
    private static final int SHORTEST = 10;

    LiveRow {
      rest = List.copyOf(rest);
    }

    static LiveRow of(String label, String lead, String... rest) {
      return new LiveRow(label, lead, List.of(rest));
    }

    /** Returns the line in fewer columns than {@code width}; the last one stays free. */
    String fit(int width) {
      int room = width - 1 - LABEL;
      List<String> parts = new ArrayList<>(rest);
      while (!parts.isEmpty() && Math.min(SHORTEST, lead.length()) + length(parts) > room) {
        parts.remove(parts.size() - 1);
      }
      parts.add(0, shortened(lead, room - length(parts)));
      return label + " ".repeat(LABEL - label.length()) + String.join(BETWEEN, parts);
    }

    private static int length(List<String> parts) {
      return parts.stream().mapToInt(part -> BETWEEN.length() + part.length()).sum();
    }

    /** Returns the text in at most that many columns. */
    static String shortened(String text, int most) {
      return text.length() <= most ? text : text.substring(0, most - CUT.length()) + CUT;
    }
  }

  /**
   * The current state of the host by the run's journal.
   *
   * @param events that are on disk
   * @param domains whose settings differ from those found
   */
  record ChangedSettings(int events, int domains) {
    static ChangedSettings of(RunDirectory run) {
      List<JournalEvent> events = run.events();
      Map<String, SchedulerParameters> now = new HashMap<>();
      for (JournalEvent event : events) {
        if (event instanceof JournalEvent.Applying applying) {
          now.put(applying.domain(), applying.to());
        } else if (event instanceof JournalEvent.Restored restored) {
          now.putAll(restored.settings());
        }
      }
      RunRecord record = run.record();
      long changed =
          now.entrySet().stream()
              .filter(
                  entry ->
                      record
                          .foundFor(entry.getValue().scheduler(), entry.getKey())
                          .filter(entry.getValue()::equals)
                          .isEmpty())
              .count();
      return new ChangedSettings(events.size(), (int) changed);
    }

    /** {@code journal 41 events on disk | 2 domains differ from as-found}. */
    List<String> text() {
      return List.of(
          Phrase.of("journal %d events on disk", events),
          domains == 0
              ? "host as found"
              : domains
                  + (domains == 1 ? " domain differs" : " domains differ")
                  + " from as-found");
    }
  }
}
