import io.slicewise.base.units.Window;
import io.slicewise.load.access.LineFormats;
import io.slicewise.load.access.LogReplay;
import io.slicewise.load.access.LoggedWindow;
import io.slicewise.load.access.Selection;
import io.slicewise.stats.CoinBets;
import io.slicewise.sweep.outcome.TrafficResult;
import io.slicewise.workload.Traffic;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/**
 * What pairs decide about a real log whose windows have no candidate: they are called incumbent and
 * candidate by a coin, again and again. What is shown then is wrong; and a change that is added to
 * one side is to be found, and to be in the interval.
 */
public final class RelabelledLogs {
  private static final double LEVEL = 0.05;
  private static final int STUDIES = 10_000;
  private static final int PAIRS = 100;
  private static final Duration WINDOW = Duration.ofSeconds(10);
  private static final Duration WASH_OUT = Duration.ofSeconds(2);
  private static final int LEAST = 20;

  private RelabelledLogs() {}

  public static void main(String[] arguments) throws Exception {
    if (arguments.length < 2) {
      System.err.println("usage: RelabelledLogs FORMAT[=LINE] FILE...");
      System.exit(2);
    }
    String[] format = arguments[0].split("=", 2);
    LogReplay log =
        LogReplay.read(
            Stream.of(arguments).skip(1).map(Path::of).toList(),
            new LineFormats(
                format[0],
                format.length > 1 ? Optional.of(format[1]) : Optional.empty(),
                Map.of(),
                Optional.empty()),
            new Selection(Map.of(), Selection.LASTING, Selection.DOWNLOAD, Map.of()));
    Map<String, List<Double>> windows = windows(log);
    System.out.printf(
        Locale.ROOT,
        "%s: %,d requests, %d lines not understood%n",
        format[0],
        log.requests().size(),
        log.unread());
    windows.forEach(RelabelledLogs::print);
    HarmOnLogs.print(format[0], log);
  }

  private static Map<String, List<Double>> windows(LogReplay log) {
    Map<String, List<Double>> windows = new LinkedHashMap<>();
    Window span = log.span().orElseThrow();
    Instant start = span.start().plus(WASH_OUT);
    for (; !start.plus(WINDOW).isAfter(span.end()); start = start.plus(WINDOW).plus(WASH_OUT)) {
      Window window = new Window(start, start.plus(WINDOW));
      LoggedWindow seen = log.in(window);
      boolean counts = seen.faults().isEmpty() && seen.requests().size() >= LEAST;
      TrafficResult result = new TrafficResult(seen, window, List.of(), log.resolutionMicros());
      add(windows, "mean", counts ? result.load().meanMillis() : Double.NaN);
      add(windows, "p95", counts ? result.load().p95Millis() : Double.NaN);
      result.measures().stream()
          .filter(measure -> measure.name().equals(Traffic.GEOMETRIC_MEAN))
          .forEach(measure -> add(windows, measure.name(), counts ? measure.value() : Double.NaN));
    }
    return windows;
  }

  private static void add(Map<String, List<Double>> windows, String metric, double value) {
    windows.computeIfAbsent(metric, any -> new ArrayList<>()).add(value);
  }

  private static void print(String metric, List<Double> windows) {
    double[] noise = new double[windows.size() / 2];
    int pairs = 0;
    for (int i = 0; i + 1 < windows.size(); i += 2) {
      double change = Math.log(windows.get(i + 1) / windows.get(i));
      if (Double.isFinite(change)) {
        noise[pairs++] = change;
      }
    }
    noise = Arrays.copyOf(noise, pairs);
    System.out.printf(
        Locale.ROOT,
        "  %s: %d pairs; no effect, ever shown: %.1f %% in %d pairs, %.1f %% in %d",
        metric,
        pairs,
        100 * shown(0, pairs, noise).share(),
        pairs,
        100 * shown(0, PAIRS, noise).share(),
        PAIRS);
    for (double change : new double[] {0.05, 0.1, 0.2}) {
      double effect = Math.log1p(change);
      Shown found = shown(effect, PAIRS, noise);
      System.out.printf(
          Locale.ROOT,
          "; +%.0f %%: %s, interval holds it in %.1f %%",
          100 * change,
          found.median() > PAIRS
              ? String.format(Locale.ROOT, "shown in %.0f %%", 100 * found.share())
              : "median " + found.median() + " pairs",
          100 * (1 - found.missed()));
    }
    System.out.println();
  }

  /** Of many studies, how many show a change, after how many pairs, and miss the true one. */
  private record Shown(double share, int median, double missed) {}

  private static Shown shown(double effect, int pairs, double... noise) {
    Random coin = new Random(20261128);
    int[] first = new int[STUDIES];
    int shown = 0;
    int missed = 0;
    for (int study = 0; study < STUDIES; study++) {
      double[] drawn = new double[pairs];
      for (int b = 0; b < pairs; b++) {
        double size = noise[b % noise.length];
        drawn[b] = effect + (coin.nextBoolean() ? size : -size);
      }
      int look = CoinBets.firstRefuted(LEVEL, 0, drawn);
      first[study] = look == 0 ? Integer.MAX_VALUE : look;
      shown += look > 0 ? 1 : 0;
      missed += CoinBets.firstRefuted(LEVEL, effect, drawn) > 0 ? 1 : 0;
    }
    Arrays.sort(first);
    return new Shown(
        (double) shown / STUDIES, first[STUDIES / 2], (double) missed / STUDIES);
  }
}
