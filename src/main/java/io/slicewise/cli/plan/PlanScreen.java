package io.slicewise.cli.plan;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.PercentText;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.cli.plan.PlanOutline.Arm;
import io.slicewise.cli.plan.PlanOutline.LoadDesign;
import io.slicewise.cli.plan.PlanOutline.Step;
import io.slicewise.cli.screens.LabelledLines;
import io.slicewise.experiment.Stop;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.experiment.load.Axis;
import io.slicewise.host.HostDescription;
import io.slicewise.host.Hypervisors;
import io.slicewise.sweep.guard.SettingChange;
import io.slicewise.workload.WorkloadType;
import io.slicewise.workload.Workloads;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints the plan as text in at most 100 columns. */
public final class PlanScreen {
  private static final DateTimeFormatter CLOCK_TIME =
      DateTimeFormatter.ofPattern("EEE d MMM HH:mm", Locale.ROOT);

  /** Names of properties on the screen; JSON has all. */
  private static final int MOST_NAMES = 6;

  private static final int STEPS_SHOWN = 4;

  private final PlanOutline plan;
  private final LabelledLines lines;

  public PlanScreen(PlanOutline plan, int width) {
    this.plan = plan;
    this.lines = new LabelledLines(width);
  }

  /**
   * Returns the lines of the screen.
   *
   * @param everyTrial list all trials, not only the first
   * @param everyCommand list all commands, not only the first
   */
  public List<String> lines(boolean everyTrial, boolean everyCommand) {
    plan.remarks().problems().forEach(problem -> lines.add("Stops", problem));
    lines.add(
        "PLAN",
        Phrase.of(
            "%s   spec %s   seed %s   nothing has been changed",
            plan.basis().experiment(),
            plan.basis().fingerprint(),
            plan.basis().seed().isPresent()
                ? plan.basis().seed().getAsLong()
                : "drawn at the start"));
    host();
    design();
    profiles();
    time();
    PowerLines.add(plan.power(), lines);
    trials(everyTrial);
    commands(everyCommand);
    plan.deadMan().ifPresent(one -> one.addTo(lines, everyCommand));
    remarks();
    return lines.all();
  }

  private void host() {
    PlanOutline.HostFacts host = plan.basis().host();
    lines.add(
        "Host",
        host.description()
            .map(
                found ->
                    Phrase.of(
                        "%s   %s   answers in %.0f ms",
                        host.address(), machine(found, host.domains()), host.answerMillis()))
            .orElse(host.address() + ": not contacted"));
  }

  private static String machine(HostDescription found, int domains) {
    return Hypervisors.kind(found.toolstack()).bare()
        ? "%s   %s".formatted(found.hypervisor(), Plural.of(found.pcpus(), "CPU"))
        : "%s   %s   via %s   %s   %s"
            .formatted(
                found.hypervisor(),
                found.bootScheduler(),
                found.toolstack(),
                Plural.of(found.pcpus(), "pCPU"),
                Plural.of(domains, found.hypervisor().startsWith("Xen") ? "domain" : "guest"));
  }

  private boolean pairs() {
    return plan.design().sessions().filter(PlanOutline.Sessions::pairs).isPresent();
  }

  private void pairs(PlanOutline.Design design) {
    lines.add(
        "Design",
        "at most %s of the baseline %s and one of %s"
            .formatted(
                Plural.of(design.blocks().repetitions(), "pair"),
                design.baseline(),
                design.controls().isEmpty()
                    ? Plural.of(design.profiles() - 1, "candidate")
                    : String.join(", ", design.controls())));
    lines.add(
        "", "a coin decides the order of each pair; valid at every look, ends once it is decided");
  }

  private void design() {
    PlanOutline.Design design = plan.design();
    if (pairs()) {
      pairs(design);
    } else {
      cells(design);
    }
    String label = "Factors";
    for (String sentence : design.factors()) {
      lines.add(label, sentence);
      label = "";
    }
    goalAndLoad(design);
  }

  private void cells(PlanOutline.Design design) {
    lines.add(
        "Design",
        Phrase.of(
            "%s%s%s = %s%s, %s = %s%s",
            Plural.of(design.profiles(), "profile"),
            design.controls().isEmpty()
                ? ""
                : " (" + String.join(", ", design.controls()) + " for A/A)",
            loads() ? " x " + Plural.of(design.load().loads(), "load") : "",
            Plural.of(design.cells(), "cell"),
            design.sessions().isPresent() ? "" : " a block",
            design.blocks().mayGrow()
                ? design.blocks().repetitions() + " to " + design.blocks().mostBlocks() + " blocks"
                : design
                    .sessions()
                    .map(
                        sessions ->
                            "%s of %s"
                                .formatted(
                                    Plural.of(sessions.perLoad(), "session"),
                                    Plural.of(sessions.blocks(), "block")))
                    .orElse(Plural.of(design.blocks().repetitions(), "repetition")),
            Plural.of(design.trials(), design.sessions().isPresent() ? "window" : "trial"),
            design.blocks().mayGrow()
                ? " to " + design.cells() * design.blocks().mostBlocks()
                : ""));
    lines.add(
        "",
        design.sessions().isPresent()
            ? "switchback: one window of each profile per block, switched live; baseline "
                + design.baseline()
            : plan.basis().order().equals("blocks")
                ? "complete blocks, random order inside; baseline " + design.baseline()
                : "order as written; baseline " + design.baseline());
  }

  private void goalAndLoad(PlanOutline.Design design) {
    PlanOutline.Aims aims = design.aims();
    aims.goal().ifPresent(goal -> lines.add("Goal", goal));
    aims.stop().ifPresent(stop -> lines.add(aims.goal().isPresent() ? "" : "Goal", goal(stop)));
    if (!aims.guard().isEmpty()) {
      lines.add(
          "Guard",
          aims.guard().entrySet().stream()
              .map(one -> Aim.limit(one.getKey(), one.getValue()))
              .collect(Collectors.joining("; ")));
    }
    LoadDesign load = design.load();
    lines.add(
        "Load",
        loads()
            ? "%s%s, %s%s%s"
                .formatted(
                    load.workload(),
                    load.target().map(target -> " at " + target).orElse(""),
                    levels(load),
                    load.parts().isEmpty()
                        ? ""
                        : ", each of " + String.join(", ", load.parts()) + " alone",
                    load.lone().isEmpty()
                        ? ""
                        : "; without neighbours also " + String.join(", ", load.lone()))
            : isLive(load)
                ? "none of its own: the users of the site are observed"
                : load.workload().equals("observe")
                    ? "none: observes the guests' own load"
                    : "a %s in each window%s"
                        .formatted(
                            load.workload(),
                            load.target().map(target -> ", for " + target).orElse("")));
    plan.source().jmeter().ifPresent(this::jmeter);
    plan.source().generatorLines().forEach(line -> lines.add("", line));
  }

  private static boolean isLive(LoadDesign load) {
    return Workloads.type(load.workload()).map(WorkloadType::live).orElse(false);
  }

  /** Returns {@code users 25, 50 with 0, 2 neighbours}. */
  private static String levels(LoadDesign load) {
    StringBuilder text = new StringBuilder();
    for (Axis axis : Axis.values()) {
      List<Object> levels = load.levels().getOrDefault(axis.key(), List.of());
      String list = levels.stream().map(String::valueOf).collect(Collectors.joining(", "));
      if (!levels.isEmpty()) {
        text.append(
            text.isEmpty() ? axis.key() + " " + list : axis.link() + list + " " + axis.unit());
      }
    }
    return text.toString();
  }

  /** Returns the first names, and how many others there are. */
  private static String some(List<String> names) {
    return names.size() <= MOST_NAMES + 1
        ? String.join(", ", names)
        : "%s and %d others"
            .formatted(String.join(", ", names.subList(0, MOST_NAMES)), names.size() - MOST_NAMES);
  }

  private void jmeter(PlanOutline.JMeterPlan jmeter) {
    lines.add(
        "",
        jmeter.file()
            + (jmeter.reads().isEmpty() ? " reads no property" : " reads " + some(jmeter.reads())));
    jmeter.counts().forEach(sentence -> lines.add("", sentence));
    if (!jmeter.ignores().isEmpty()) {
      lines.add(
          "", "ignored, since the plan does not read them: " + String.join(", ", jmeter.ignores()));
    }
  }

  private static String goal(Stop stop) {
    return "every cell's p95 (else mean) known to +-%s by %s; stops also after %s blocks or %s"
        .formatted(
            PercentText.of(stop.precision()),
            stop.rule() == Stop.Rule.TWO_STAGE
                ? "Stein's two stages"
                : "an always-valid confidence sequence",
            stop.trials(),
            DurationText.spaced(stop.time()));
  }

  private boolean loads() {
    return plan.design().load().levels().values().stream()
        .flatMap(List::stream)
        .anyMatch(level -> !level.equals(0));
  }

  private void profiles() {
    lines.add(
        "Guests",
        plan.design().domains().entrySet().stream()
            .filter(role -> !role.getValue().isEmpty())
            .map(role -> role.getKey() + ": " + String.join(", ", role.getValue()))
            .collect(Collectors.joining("; ")));
    String label = "Sets";
    for (Arm arm : plan.profiles()) {
      String name =
          arm.profile()
              + (arm.baseline() ? " (baseline)" : "")
              + arm.needs().map(need -> " needs " + need).orElse("");
      lines.add(label, name + ": " + settings(arm));
      label = "";
    }
  }

  /** Returns the settings, with one entry for domains that share them. */
  private String settings(Arm arm) {
    if (arm.settings().isEmpty()) {
      return "nothing";
    }
    Map<String, List<String>> byText =
        arm.settings().entrySet().stream()
            .collect(
                Collectors.groupingBy(
                    Map.Entry::getValue,
                    LinkedHashMap::new,
                    Collectors.mapping(Map.Entry::getKey, Collectors.toList())));
    return "%s %s"
        .formatted(
            arm.scheduler().orElse(""),
            byText.entrySet().stream()
                .map(entry -> entry.getKey() + " for " + roles(entry.getValue()))
                .collect(Collectors.joining("; ")));
  }

  /** Returns a short list of the domains: a role's name if all domains of the role are included. */
  private String roles(List<String> domains) {
    List<String> words = new ArrayList<>();
    List<String> left = new ArrayList<>(domains);
    plan.design()
        .domains()
        .forEach(
            (role, names) -> {
              if (!names.isEmpty() && left.containsAll(names)) {
                words.add(role);
                left.removeAll(names);
              }
            });
    words.addAll(left);
    return String.join(", ", words);
  }

  private void time() {
    PlanOutline.Timing time = plan.time();
    String unit = plan.design().sessions().isPresent() ? "window" : "trial";
    lines.add("Time", plan.design().sessions().map(this::session).orElseGet(() -> trial(time)));
    lines.add(
        "",
        time.trials() == 0
            ? "no " + unit + " can run now"
            : Phrase.of(
                "%s%d %ss%s: %s %s -> %s",
                pairs() ? "all " : "",
                time.trials(),
                unit,
                time.later().isEmpty() ? "" : " now",
                time.bound(),
                DurationText.spaced(time.now()),
                CLOCK_TIME.format(time.end())));
    if (time.trials() > 0 && plan.design().blocks().mayGrow()) {
      lines.add(
          "",
          Phrase.of(
              "up to %d blocks: %s %s -> %s",
              plan.design().blocks().mostBlocks(),
              time.bound(),
              DurationText.spaced(time.longest()),
              CLOCK_TIME.format(time.latestEnd())));
    }
    time.later()
        .forEach(
            (need, duration) ->
                lines.add(
                    "",
                    "with %s, after a reboot: %s %s"
                        .formatted(need, time.bound(), DurationText.spaced(duration))));
    lines.add(
        "",
        plan.design().sessions().isPresent()
            ? "plus the time to collect after each window and to set up and tear down each session"
            : "plus the time to apply, verify, collect and tear down");
  }

  private String session(PlanOutline.Sessions sessions) {
    return Phrase.of(
        "a session: warm-up %s%s + %d %s, each window wash-out %s%s + %s = %s",
        DurationText.spaced(plan.time().phases().warmUp()),
        loads() ? " (ramp " + DurationText.spaced(plan.time().phases().ramp()) + " in it)" : "",
        sessions.blocks(),
        sessions.pairs() ? "pairs" : "blocks",
        DurationText.spaced(sessions.washOut()),
        sessions.auto() ? " or more" : "",
        DurationText.spaced(sessions.window()),
        DurationText.spaced(sessions.session()));
  }

  private String trial(PlanOutline.Timing time) {
    PlanOutline.Phases phases = time.phases();
    if (time.work()) {
      return "a trial: until its work is done, at most " + DurationText.spaced(phases.measure());
    }
    return Phrase.of(
        "a trial: warm-up %s%s + measure %s + cool-down %s = %s",
        DurationText.spaced(phases.warmUp()),
        loads() ? " (ramp " + DurationText.spaced(phases.ramp()) + " in it)" : "",
        DurationText.spaced(phases.measure()),
        DurationText.spaced(phases.coolDown()),
        DurationText.spaced(phases.trial()));
  }

  private void trials(boolean every) {
    int shown = every ? plan.trials().size() : Math.min(STEPS_SHOWN, plan.trials().size());
    for (Step step : plan.trials().subList(0, shown)) {
      lines.add(
          step.number() == 1 ? "Order" : "",
          Phrase.of(
              "%04d  %sblock %d  %s%s",
              step.number(),
              start(step),
              step.block(),
              step.profile(),
              step.load().isNone() ? "" : "  " + step.load().text()));
    }
    if (shown < plan.trials().size()) {
      lines.add("", (plan.trials().size() - shown) + " more; every trial: --trials");
    }
  }

  /** Returns the earliest start of a trial; nothing if it depends on how long work takes. */
  private String start(Step step) {
    return step.earliestStart().isPresent() && plan.time().work()
        ? ""
        : step.earliestStart().map(CLOCK_TIME::format).orElse("waits") + "  ";
  }

  private void commands(boolean every) {
    if (plan.basis().host().description().isEmpty()
        && plan.basis().host().statedToolstack().isEmpty()) {
      lines.add("Send", "unknown: the host could not be read");
      return;
    }
    List<Arm> changing = plan.profiles().stream().filter(arm -> !arm.changes().isEmpty()).toList();
    if (changing.isEmpty()) {
      lines.add(
          "Send",
          plan.remarks().problems().isEmpty()
              ? "nothing: the host already has the settings of every profile that can run now"
              : "nothing until what stops it is corrected");
    } else if (every) {
      changing.forEach(arm -> arm.changes().forEach(change -> change(arm.profile(), change)));
    } else {
      change(changing.get(0).profile(), changing.get(0).changes().get(0));
      lines.add("", "every command and its undo: --commands");
    }
    plan.basis()
        .host()
        .statedToolstack()
        .ifPresent(
            stated ->
                lines.add(
                    "",
                    ("as %s accepts them, without reading the host; a run uses domain ids, skips"
                            + " settings that are already in place, and restores what it finds")
                        .formatted(stated)));
  }

  private void change(String profile, SettingChange change) {
    lines.add(
        "Send",
        profile + " for " + change.domain() + ": " + change.found() + " -> " + change.wanted());
    change.commands().forEach(command -> lines.add("", "      " + command));
    change.undo().forEach(command -> lines.add("", "undo  " + command));
  }

  private void remarks() {
    plan.remarks().notes().forEach(note -> lines.add("Note", note));
  }
}
