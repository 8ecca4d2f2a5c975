package io.slicewise.load.generator.child;

import io.slicewise.base.units.Phrase;
import io.slicewise.load.generator.GeneratorHealth;
import io.slicewise.load.generator.GeneratorHealth.Arrivals;
import io.slicewise.load.generator.GeneratorHealth.Passes;
import io.slicewise.load.generator.LoadProgress;
import io.slicewise.load.generator.LoadProgress.Worst;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;

/**
 * The protocol between the harness and its generator. To the generator: {@code secret NAME VALUE}
 * for each property that must not be in a file, {@code load}, {@code go}, {@code window}, {@code
 * cut FILE}, {@code stop}, or {@code go-at TIME}, {@code window-at TIME} and {@code stop-at TIME}
 * with a time of the generator's clock; {@code clock}, which is answered by {@code clock TIME}, and
 * {@code here MILLISECONDS}, after which a generator ends itself unless it is said again; the end
 * of its input means stop, so that no generator outlives its harness. From the generator: {@code
 * ready}, {@code started}, {@code fault TEXT}, {@code recent HISTOGRAM}, {@code progress …}, {@code
 * cut …}, {@code finished}, {@code health …}, {@code ended}. Numbers are written as Java writes a
 * double, in every locale.
 */
public final class Wire {
  public static final String LOAD = "load";
  public static final String GO = "go";
  public static final String WINDOW = "window";
  public static final String CUT = "cut";
  public static final String STOP = "stop";

  /** Asks for the clock, and answers with its seconds and nanoseconds. */
  public static final String CLOCK = "clock";

  private static final String HERE = "here ";

  private static final String AT = "-at ";
  static final String SECRET = "secret";
  public static final String READY = "ready";

  /** Says that the users start from now on: each ramp has begun. */
  public static final String STARTED = "started";

  public static final String FAULT = "fault";
  public static final String PROGRESS = "progress";
  public static final String RECENT = "recent";
  public static final String FINISHED = "finished";
  public static final String HEALTH = "health";
  public static final String ENDED = "ended";

  /** The place of the first number about arrivals among those about health. */
  private static final int ARRIVALS = 8;

  private Wire() {}

  /** Returns the line for a secret, with its value encoded as one word. */
  public static String secret(String name, String value) {
    return SECRET + " " + encoded(name) + " " + encoded(value);
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)) + ".";
  }

  /** Parses name and value from a line of {@link #secret}. */
  static Map.Entry<String, String> readSecret(String line) {
    String[] words = line.split(" ", -1);
    return Map.entry(decoded(words[1]), decoded(words[2]));
  }

  private static String decoded(String word) {
    byte[] bytes = Base64.getDecoder().decode(word.substring(0, word.length() - 1));
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Asks to complete the samples so far as that file. */
  public static String cut(Path file) {
    return CUT + " " + encoded(file.toString());
  }

  /** Reads back the file of what {@link #cut(Path)} wrote; empty for any other line. */
  static Optional<Path> readCut(String line) {
    return line.startsWith(CUT + " ")
        ? Optional.of(Path.of(decoded(line.substring(CUT.length() + 1))))
        : Optional.empty();
  }

  /** Says that the samples are complete, and how the generator fared in its window. */
  static String cut(GeneratorHealth health) {
    return numbers(CUT, health);
  }

  /** Returns the line for the response times of the last ten seconds, compressed. */
  static String recent(Histogram times) {
    ByteBuffer buffer = ByteBuffer.allocate(times.getNeededByteBufferCapacity());
    int length = times.encodeIntoCompressedByteBuffer(buffer, Deflater.BEST_SPEED);
    byte[] bytes = Arrays.copyOf(buffer.array(), length);
    return RECENT + " " + Base64.getEncoder().encodeToString(bytes);
  }

  /** Parses a line of {@link #recent}, without its first word. */
  public static Histogram readRecent(String rest) {
    try {
      return Histogram.decodeFromCompressedByteBuffer(
          ByteBuffer.wrap(Base64.getDecoder().decode(rest)), 0);
    } catch (DataFormatException damaged) {
      throw new IllegalArgumentException("not a histogram", damaged);
    }
  }

  /** Returns the command {@code go-at}, {@code window-at} or {@code stop-at}. */
  public static String at(String command, Instant generatorTime) {
    return command + AT + seconds(generatorTime);
  }

  /** Returns the command of a line and when it applies; empty if it is not such a command. */
  static Optional<Map.Entry<String, Instant>> readAt(String line) {
    int at = line.indexOf(AT);
    return at < 0
        ? Optional.empty()
        : Optional.of(
            Map.entry(line.substring(0, at), readClock(line.substring(at + AT.length()))));
  }

  /** Says that the harness is there, and how long it may be silent from now on. */
  public static String here(Duration patience) {
    return HERE + patience.toMillis();
  }

  /** Reads back the time of what {@link #here} wrote; empty for any other line. */
  static Optional<Duration> readHere(String line) {
    return line.startsWith(HERE)
        ? Optional.of(Duration.ofMillis(Long.parseLong(line.substring(HERE.length()))))
        : Optional.empty();
  }

  static String clock(Instant now) {
    return CLOCK + " " + seconds(now);
  }

  private static String seconds(Instant time) {
    return Phrase.of("%d.%09d", time.getEpochSecond(), time.getNano());
  }

  /** Parses a time of {@link #CLOCK}, without its first word. */
  public static Instant readClock(String rest) {
    String[] parts = rest.strip().split("\\.", 2);
    return Instant.ofEpochSecond(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
  }

  static String fault(String sentence) {
    return FAULT + " " + sentence.replaceAll("\\s+", " ").strip();
  }

  static String progress(LoadProgress now) {
    return line(
        PROGRESS,
        now.activeUsers(),
        (double) now.samples(),
        (double) now.failed(),
        now.sumOfLogs(),
        now.ratePerSecond(),
        now.p95Millis(),
        now.cpuShare().value(),
        now.latenessP99Millis().value());
  }

  static String health(GeneratorHealth health) {
    return numbers(HEALTH, health);
  }

  private static String numbers(String word, GeneratorHealth health) {
    String own =
        line(
            word,
            health.cpuSeconds(),
            health.cpuShare(),
            health.gcPauseMillis(),
            health.longestGcPauseMillis(),
            health.latenessP99Millis(),
            health.runQueuePerCore(),
            health.cores(),
            health.machineShare());
    return health
        .arrivals()
        .map(
            seen ->
                line(
                    own,
                    (double) seen.started(),
                    (double) seen.dropped(),
                    seen.lateP99Millis(),
                    (double) seen.passes().orElseThrow().ended(),
                    (double) seen.passes().orElseThrow().inFlight()))
        .orElse(own);
  }

  /** Parses a line of {@link #progress}, without its first word. */
  public static LoadProgress readProgress(String rest) {
    double[] n = numbers(rest);
    return new LoadProgress(
        (int) n[0], (long) n[1], (long) n[2], n[3], n[4], n[5], new Worst(n[6]), new Worst(n[7]));
  }

  /** Parses a line of {@link #health}, without its first word. */
  public static GeneratorHealth readHealth(String rest) {
    double[] n = numbers(rest);
    Optional<Arrivals> arrivals =
        n.length > ARRIVALS
            ? Optional.of(
                new Arrivals(
                    (long) n[ARRIVALS],
                    (long) n[ARRIVALS + 1],
                    n[ARRIVALS + 2],
                    Optional.of(new Passes((long) n[ARRIVALS + 3], (long) n[ARRIVALS + 4]))))
            : Optional.empty();
    return new GeneratorHealth(n[0], n[1], n[2], n[3], n[4], n[5], (int) n[6], n[7]).with(arrivals);
  }

  private static String line(String word, double... numbers) {
    return word
        + DoubleStream.of(numbers)
            .mapToObj(Double::toString)
            .collect(Collectors.joining(" ", " ", ""));
  }

  private static double[] numbers(String rest) {
    return Arrays.stream(rest.strip().split(" ")).mapToDouble(Double::parseDouble).toArray();
  }
}
