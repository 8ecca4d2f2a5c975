package io.slicewise.run.result;

import io.slicewise.base.units.Phrase;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.WindowPlace;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.stats.Band;
import io.slicewise.stats.CarryOver;
import io.slicewise.stats.CarryOver.Remains;
import io.slicewise.stats.CarryOver.Share;
import io.slicewise.stats.power.Resolution;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Checks whether a wash-out was long enough, from the windows of sessions at one load: {@link
 * CarryOver} compares the change from the first to the second half of windows, and the effect of
 * the previous profile on a window, with the practical band. Profiles with the same settings count
 * as one.
 *
 * @param metric {@code throughput} if it is the goal, otherwise {@code mean}, since half a window
 *     has no percentile
 * @param profiles by the numbers in {@code left}; the baseline is the first
 */
public record WashOutCheck(String metric, List<String> profiles, CarryOver left, Band band) {
  public WashOutCheck {
    profiles = List.copyOf(profiles);
  }

  /** The result of the check. */
  public enum Outcome {
    /** Any remaining effect is within the band. */
    COVERED,
    /** An effect remains and may exceed the band: the wash-out is too short. */
    FOUND,
    /** No remaining effect is shown, but one beyond the band is not excluded. */
    UNCLEAR,
    /** Too few windows, or nothing was loaded. */
    UNTESTED
  }

  /**
   * Checks the windows of sessions at one load that had the same wash-out.
   *
   * @param windows valid or not; an invalid one is not evaluated, but precedes the next one
   */
  public static WashOutCheck of(Experiment experiment, List<TrialResult> windows) {
    boolean rate =
        experiment.aim().goal().filter(goal -> goal.metric().equals("throughput")).isPresent();
    List<SchedulerProfile> settings = settings(experiment, windows);
    List<TrialResult> inOrder =
        windows.stream()
            .filter(window -> window.trial().place().isPresent())
            .sorted(Comparator.comparing(window -> window.window().start()))
            .toList();
    List<CarryOver.Window> seen = new ArrayList<>();
    for (int i = 0; i < inOrder.size(); i++) {
      TrialResult window = inOrder.get(i);
      int previous =
          i > 0 && follows(inOrder.get(i - 1), window)
              ? number(settings, experiment, inOrder.get(i - 1))
              : -1;
      Halves halves = Halves.of(window, rate);
      if (window.valid() && halves.whole() > 0) {
        seen.add(
            new CarryOver.Window(
                place(window).session(),
                place(window).block(),
                number(settings, experiment, window),
                previous,
                Math.log(halves.whole()),
                Math.log(halves.second() / halves.first())));
      }
    }
    return new WashOutCheck(
        rate ? "throughput" : "mean",
        settings.stream().map(SchedulerProfile::name).toList(),
        CarryOver.of(seen, settings.size()),
        Band.DEFAULT);
  }

  private static WindowPlace place(TrialResult window) {
    return window.trial().place().orElseThrow();
  }

  /** Returns the profiles of these windows that differ in their settings, the baseline first. */
  private static List<SchedulerProfile> settings(Experiment experiment, List<TrialResult> windows) {
    List<SchedulerProfile> settings = new ArrayList<>();
    settings.add(experiment.profile(experiment.baseline()));
    for (SchedulerProfile profile : experiment.profiles()) {
      boolean measured =
          windows.stream().anyMatch(window -> window.trial().profile().equals(profile.name()));
      if (measured && settings.stream().noneMatch(profile::setsTheSameAs)) {
        settings.add(profile);
      }
    }
    return settings;
  }

  private static int number(
      List<SchedulerProfile> settings, Experiment experiment, TrialResult window) {
    SchedulerProfile profile = experiment.profile(window.trial().profile());
    for (int i = 0; i < settings.size(); i++) {
      if (profile.setsTheSameAs(settings.get(i))) {
        return i;
      }
    }
    throw new IllegalStateException(profile.name() + " is not among the settings");
  }

  /** Returns whether no window is missing between the two. */
  private static boolean follows(TrialResult before, TrialResult window) {
    return place(before).session() == place(window).session()
        && before.trial().number() + 1 == window.trial().number();
  }

  public Outcome outcome() {
    if (left.isFound(band)) {
      return Outcome.FOUND;
    }
    if (left.halvesShare().isEmpty() && left.previousShare().isEmpty()) {
      return Outcome.UNTESTED;
    }
    return left.isCovered(band) ? Outcome.COVERED : Outcome.UNCLEAR;
  }

  /** Returns the p of "nothing of a previous profile is left"; {@code NaN} if not tested. */
  public double p() {
    return left.p(band);
  }

  /** Returns the largest change that a previous profile is found to leave, as a share. */
  public double largest() {
    return Math.expm1(left.largest(band));
  }

  /** Returns the result as a sentence with its numbers. */
  public String sentence() {
    return switch (outcome()) {
      case COVERED ->
          "wash-out: long enough; carry-over from a previous profile is below %s of %s"
              .formatted(percent(band.delta()), metric);
      case FOUND -> "wash-out: TOO SHORT: " + String.join("; ", findings());
      case UNCLEAR ->
          "wash-out: no carry-over from a previous profile shown (%s), but more than %s of %s cannot"
                  .formatted(String.join("; ", shares()), percent(band.delta()), metric)
              + " be excluded";
      case UNTESTED -> "wash-out: not tested; too few windows with a rate by the second";
    };
  }

  private List<String> findings() {
    List<String> found = new ArrayList<>();
    left.halvesShare()
        .filter(share -> exceeds(share.low() * left.span(), share.high() * left.span()))
        .ifPresent(share -> found.add(halves(share)));
    left.previousShare()
        .filter(share -> exceeds(share.low() * left.span(), share.high() * left.span()))
        .ifPresent(share -> found.add(previous(share)));
    for (Remains one : left.halves()) {
      if (exceeds(one.low(), one.high())) {
        found.add(
            "%s changes by %s from the first to the second half"
                .formatted(name(one), interval(one)));
      }
    }
    for (Remains one : left.previous()) {
      if (exceeds(one.low(), one.high())) {
        found.add(
            "after %s, %s differs by %s from windows after %s"
                .formatted(name(one), metric, interval(one), profiles.get(0)));
      }
    }
    return found;
  }

  private List<String> shares() {
    List<String> shares = new ArrayList<>();
    left.halvesShare().ifPresent(share -> shares.add(halves(share)));
    left.previousShare().ifPresent(share -> shares.add(previous(share)));
    return shares;
  }

  private static String halves(Share share) {
    return "the halves of a window differ by %s of the difference from the previous profile"
        .formatted(interval(share));
  }

  private static String previous(Share share) {
    return "%s of the previous profile's effect remains".formatted(interval(share));
  }

  private boolean exceeds(double low, double high) {
    return band.isExceededBy(low, high);
  }

  private String name(Remains one) {
    return profiles.get(one.setting());
  }

  private static String interval(Share share) {
    return Phrase.of(
        "%d %% [%d, %d]",
        Math.round(100 * share.share()),
        Math.round(100 * share.low()),
        Math.round(100 * share.high()));
  }

  private static String interval(Remains one) {
    double low = 100 * Math.expm1(one.low());
    double high = 100 * Math.expm1(one.high());
    return Resolution.isTooWide(low, high)
        ? Resolution.NONE
        : Phrase.of("%+.1f %% [%+.1f, %+.1f]", 100 * Math.expm1(one.logRatio()), low, high);
  }

  private static String percent(double share) {
    return Phrase.of("%.0f %%", 100 * share);
  }

  /** The metric in a window and its halves, by whole seconds; {@code NaN} if unknown. */
  private record Halves(double whole, double first, double second) {
    static Halves of(TrialResult window, boolean rate) {
      Optional<LoadResult> load = window.load();
      List<Reduction.Second> seconds = load.map(LoadResult::series).orElse(List.of());
      int whole = (int) Math.min(seconds.size(), window.window().length().toSeconds());
      int half = whole / 2;
      return new Halves(
          load.map(result -> rate ? result.throughput() : result.meanMillis()).orElse(Double.NaN),
          metric(seconds.subList(0, half), rate),
          metric(seconds.subList(whole - half, whole), rate));
    }

    private static double metric(List<Reduction.Second> seconds, boolean rate) {
      double samples = seconds.stream().mapToLong(Reduction.Second::samples).sum();
      if (samples == 0) {
        return Double.NaN;
      }
      return rate
          ? samples / seconds.size()
          : seconds.stream()
                  .filter(one -> one.samples() > 0)
                  .mapToDouble(one -> one.samples() * one.meanMillis())
                  .sum()
              / samples;
    }
  }
}
