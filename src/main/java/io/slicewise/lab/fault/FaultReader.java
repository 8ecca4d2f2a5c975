package io.slicewise.lab.fault;

import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.Quantity;
import io.slicewise.lab.fault.LabFault.FaultKind;
import io.slicewise.lab.fault.LabFault.Moment;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Reads the {@code lab: faults:} list of an experiment file: maps such as {@code {fault:
 * drop-connection, command: xl sched-credit, occurrence: 3, moment: after}}.
 */
public final class FaultReader {
  private static final OptionKind COUNT = new OptionKind.Whole(1, Integer.MAX_VALUE);

  /** The keys of one fault. */
  public static final List<Option> OPTIONS =
      List.of(
          Option.needed(
              "fault",
              new OptionKind.Word(Arrays.stream(FaultKind.values()).map(FaultKind::key).toList()),
              "the kind of fault"),
          Option.optional(
              "command",
              new OptionKind.Text(),
              "the start of the affected commands' lines; default: any command"),
          Option.withDefault("occurrence", COUNT, 1, "the first affected command"),
          Option.withDefault("times", COUNT, 1, "the number of affected commands"),
          Option.withDefault(
              "moment",
              new OptionKind.Word(List.of("before", "after")),
              "before",
              "of drop-connection: before or after the command has run"),
          Option.withDefault(
              "delay",
              Quantity.Time.from(Duration.ZERO),
              "0s",
              "the delay after the command's start; for slow-network and late-probe, added to each;"
                  + " for clock-jump, the jump"),
          Option.optional(
              "guest",
              new OptionKind.Text(),
              "the domain that crashes, reboots, or whose counters are concerned"));

  private FaultReader() {}

  /** Reads one fault. */
  public static LabFault fault(Options options) {
    return new LabFault(
        FaultKind.of(options.text("fault").orElseThrow()).orElseThrow(),
        options.text("command").orElse(""),
        options.integer("occurrence"),
        options.integer("times"),
        Moment.valueOf(options.text("moment").orElseThrow().toUpperCase(Locale.ROOT)),
        options.time("delay"),
        options.text("guest").orElse(""));
  }
}
