package io.slicewise.evidence.study;

import io.slicewise.stats.Estimate;
import io.slicewise.stats.StudentInterval;
import io.slicewise.stats.table.BoxSummary;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * One case: a load with a number of neighbours, or a published experiment.
 *
 * @param place where it was measured: a server, or a load
 * @param alone whether it is the reference of the others of its place
 * @param measures that are known; estimates over blocks
 * @param boxes of the observations of each measure, with two or more blocks
 * @param alarm whether Interference_EXT, as published, reports interference
 */
public record InterferenceRow(
    String place,
    String name,
    boolean alone,
    Map<InterferenceMeasure, Estimate> measures,
    Map<InterferenceMeasure, BoxSummary> boxes,
    boolean alarm,
    Blame verdict) {
  private static final double CONFIDENCE = 0.95;

  /** Others' share of the reads within this of the share alone is the same, in percent points. */
  private static final double SAME_SHARE = 2;

  public InterferenceRow {
    measures = Map.copyOf(measures);
    boxes = Map.copyOf(boxes);
  }

  /** Who is to blame for slow reads. */
  public enum Blame {
    /** Reads take longer, and others read. */
    EXTERNAL,
    /** Reads take longer, and others do not read more than without neighbours. */
    OWN_LOAD,
    NONE,
    UNCLEAR,
    /** Without repetitions. */
    UNKNOWN
  }

  /**
   * A case from its observations, one per block.
   *
   * @param lone the observations of its reference, without neighbours
   */
  public static InterferenceRow of(
      String place,
      String name,
      boolean alone,
      List<InterferenceStudy> blocks,
      List<InterferenceStudy> lone) {
    Map<InterferenceMeasure, Estimate> measures = new EnumMap<>(InterferenceMeasure.class);
    Map<InterferenceMeasure, BoxSummary> boxes = new EnumMap<>(InterferenceMeasure.class);
    for (InterferenceMeasure measure : InterferenceMeasure.values()) {
      double[] values = values(measure, blocks);
      if (values.length > 0) {
        measures.put(measure, StudentInterval.of(CONFIDENCE, values));
        if (values.length > 1) {
          boxes.put(measure, BoxSummary.of(values));
        }
      }
    }
    boolean alarm =
        measures.containsKey(InterferenceMeasure.EXT)
            && measures.get(InterferenceMeasure.EXT).mean() > 0;
    return new InterferenceRow(
        place, name, alone, measures, boxes, alarm, verdict(measures, blocks, lone));
  }

  /** The known values of a measure, in the order of the blocks. */
  static double[] values(InterferenceMeasure measure, List<InterferenceStudy> blocks) {
    return blocks.stream().mapToDouble(measure::of).filter(Double::isFinite).toArray();
  }

  private static Blame verdict(
      Map<InterferenceMeasure, Estimate> measures,
      List<InterferenceStudy> blocks,
      List<InterferenceStudy> lone) {
    Estimate loss = measures.get(InterferenceMeasure.LOSS);
    if (loss == null || loss.n() < 2) {
      return Blame.UNKNOWN;
    }
    Estimate others = measures.get(InterferenceMeasure.OTHERS);
    if (loss.low() > 0) {
      if (others == null || others.n() < 2) {
        return Blame.UNCLEAR;
      }
      double before = Arrays.stream(values(InterferenceMeasure.OTHERS, lone)).average().orElse(0);
      if (others.high() <= before + SAME_SHARE) {
        return Blame.OWN_LOAD;
      }
      return others.low() > 0 && others.low() > before ? Blame.EXTERNAL : Blame.UNCLEAR;
    }
    return loss.high() < SAME_SHARE || blocks.equals(lone) ? Blame.NONE : Blame.UNCLEAR;
  }

  /** The estimate of a measure; {@code NaN} if it is not known. */
  public Estimate of(InterferenceMeasure measure) {
    return measures.getOrDefault(
        measure, new Estimate(Double.NaN, Double.NaN, 0, Double.NaN, Double.NaN, CONFIDENCE));
  }

  /** The same case with a mean whose deviation was printed. */
  InterferenceRow with(InterferenceMeasure measure, double deviation, int n) {
    double mean = of(measure).mean();
    double half = StudentInterval.halfWidth(CONFIDENCE, deviation, n);
    Map<InterferenceMeasure, Estimate> all = new EnumMap<>(InterferenceMeasure.class);
    all.putAll(measures);
    all.put(measure, new Estimate(mean, deviation, n, mean - half, mean + half, CONFIDENCE));
    return new InterferenceRow(place, name, alone, all, boxes, alarm, verdict);
  }

  /** The measures of neighbours' interference with a guest. Shares are in percent. */
  public enum InterferenceMeasure {
    TPS("tx /s", study -> study.guest().value("tps")),
    DROP("drop %", study -> study.drop("tps")),
    GUEST_WAIT("guest wait ms", study -> 1e3 * InterferenceStudy.wait(study.guest())),
    DISK_WAIT("disk wait ms", study -> 1e3 * InterferenceStudy.wait(study.control())),
    GUEST_READS("guest reads/s", study -> study.guest().value("reads_per_s")),
    DISK_READS("disk reads/s", study -> study.control().value("reads_per_s")),
    OVERHEAD("overhead %", study -> InterferenceStudy.overhead(study.guest(), study.control())),
    VALL("VALL %", InterferenceStudy::overheadOfAll),
    RPS("RPS %", InterferenceStudy::reads),
    ARW("ARW %", InterferenceStudy::waits),
    EXT("EXT %", InterferenceStudy::external),
    LOSS("L %", InterferenceStudy::loss),
    WRITE_LOSS("L writes %", study -> study.lossOf("w")),
    FLUSH_LOSS("L flushes %", study -> study.lossOf("f")),
    SECTORS("I_MB %", InterferenceStudy::sectors),
    MAGNIFICATION("disk/guest MB", InterferenceStudy::magnification),
    OTHERS("others' MB %", InterferenceStudy::others),
    OWN("dom0's own %", InterferenceStudy::own),
    STEAL("steal %", study -> 100 * study.guest().value("steal_share")),
    CONTROL_STEAL("dom0 steal %", study -> 100 * study.control().value("steal_share")),
    UNDER_WAY("in flight", study -> InterferenceStudy.underWay(study.guest())),
    TX_PER_READ(
        "tx/read", study -> study.guest().value("tps") / study.guest().value("reads_per_s")),
    NEIGHBOURS("neighbours /s", study -> study.guest().value("interference"));

    private final String heading;

    @SuppressWarnings("ImmutableEnumChecker") // Lambdas without state.
    private final ToDoubleFunction<InterferenceStudy> value;

    InterferenceMeasure(String heading, ToDoubleFunction<InterferenceStudy> value) {
      this.heading = heading;
      this.value = value;
    }

    /** The heading of its column. */
    public String heading() {
      return heading;
    }

    /** The name in files. */
    public String key() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The value for a case; {@code NaN} if its counters were not read. */
    public double of(InterferenceStudy study) {
      return value.applyAsDouble(study);
    }
  }
}
