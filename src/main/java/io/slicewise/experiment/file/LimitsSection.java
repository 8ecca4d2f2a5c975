package io.slicewise.experiment.file;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.PercentText;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.Quantity;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlWriter;
import io.slicewise.experiment.ValidityLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The {@code limits} part of an experiment file. */
public final class LimitsSection {
  private static final int MOST_ATTEMPTS = 100;
  private static final ValidityLimits DEFAULT = ValidityLimits.DEFAULT;

  public static final List<Option> OPTIONS =
      List.of(
          share("errors", DEFAULT.errorShare(), "maximum share of failed requests"),
          share(
              "generator-cpu",
              DEFAULT.generator().cpuShare(),
              "maximum CPU use of the load generator's machine, by all processes"),
          share(
              "other-work",
              DEFAULT.otherWorkShare(),
              "maximum CPU use of this machine by other programs; 100% = not judged"),
          time(
              "generator-lateness",
              DEFAULT.generator().latenessMillis(),
              "maximum lateness of the generator's timers, 99th percentile"),
          share(
              "generator-gc",
              DEFAULT.generator().pauseShare(),
              "maximum share of the window in garbage collection"),
          time(
              "arrival-lateness",
              DEFAULT.generator().arrivalMillis(),
              "with a rate: how late arrivals may begin, 99th percentile"),
          share(
              "dropped-arrivals",
              DEFAULT.generator().droppedShare(),
              "with a rate: maximum share of arrivals for which no user was free"),
          share(
              "littles-law",
              DEFAULT.littlesLawError(),
              "maximum deviation from users = rate x response time"),
          time(
              "lab-lateness",
              DEFAULT.labLatenessMillis(),
              "maximum lateness of the embedded lab, 99th percentile"),
          Option.withDefault(
              "repeat-invalid",
              new OptionKind.Whole(0, MOST_ATTEMPTS),
              DEFAULT.moreAttempts(),
              "how often an invalid trial is repeated; 0 = never"));

  private LimitsSection() {}

  private static Option share(String name, double share, String about) {
    return Option.withDefault(name, new Quantity.Percentage(), PercentText.of(share), about);
  }

  private static Option time(String name, double millis, String about) {
    return Option.withDefault(name, Quantity.Time.ANY, DurationText.of(duration(millis)), about);
  }

  public static ValidityLimits read(YamlMap top, Path file) {
    Options limits = Option.read(OPTIONS, top.get("limits"), " of limits", file);
    return new ValidityLimits(
        limits.share("errors"),
        new ValidityLimits.OfGenerator(
            limits.share("generator-cpu"),
            limits.millis("generator-lateness"),
            limits.share("generator-gc"),
            limits.millis("arrival-lateness"),
            limits.share("dropped-arrivals")),
        limits.share("other-work"),
        limits.share("littles-law"),
        limits.millis("lab-lateness"),
        limits.integer("repeat-invalid"));
  }

  static YamlWriter write(ValidityLimits limits) {
    ValidityLimits.OfGenerator generator = limits.generator();
    return new YamlWriter()
        .share("errors", limits.errorShare())
        .share("generator-cpu", generator.cpuShare())
        .share("other-work", limits.otherWorkShare())
        .put("generator-lateness", duration(generator.latenessMillis()))
        .share("generator-gc", generator.pauseShare())
        .put("arrival-lateness", duration(generator.arrivalMillis()))
        .share("dropped-arrivals", generator.droppedShare())
        .share("littles-law", limits.littlesLawError())
        .put("lab-lateness", duration(limits.labLatenessMillis()))
        .put("repeat-invalid", limits.moreAttempts());
  }

  private static Duration duration(double millis) {
    return Duration.ofNanos(Math.round(millis * 1e6));
  }
}
