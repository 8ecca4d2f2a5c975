package io.slicewise.evidence.study;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.evidence.study.Cells.StudyCell;
import io.slicewise.evidence.study.Cells.Tiers;
import io.slicewise.stats.Correlation;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What an arm's cases read from each layer.
 *
 * @param slowdown correlation of the magnification with the slowdown; empty for few cases
 * @param magnified number of cases whose magnification is at least {@link #MAGNIFIED}
 * @param magnifiedSlower how many of them are slower in the guest
 * @param spread largest difference between the reads of base and guest, in MB; {@code NaN} without
 *     a base
 */
public record DiskLayers(
    String arm,
    List<Row> cases,
    double guestSum,
    double diskSum,
    Optional<Correlation> slowdown,
    int magnified,
    String magnifiedSlower,
    double spread) {
  public static final double MAGNIFIED = 1.1;

  private static final String READ = "disk_read";
  private static final int FEWEST = 4;

  public DiskLayers {
    cases = List.copyOf(cases);
  }

  /**
   * One case.
   *
   * @param reads in MB
   * @param xenTime its running time in the guest, in seconds
   * @param iowait of the guest, in seconds
   * @param slowdown in percent
   * @param hits heap blocks found in the database's buffers
   * @param blocks heap blocks read by the database
   */
  public record Row(
      String name,
      @JsonUnwrapped DiskReads reads,
      double xenTime,
      double iowait,
      double slowdown,
      double blocks,
      double hits) {}

  /** The cases in which the database counted its blocks. */
  public List<Row> counted() {
    return cases.stream()
        .filter(row -> Double.isFinite(row.blocks()) && Double.isFinite(row.hits()))
        .toList();
  }

  /** The reads of each arm in which a guest's are known. */
  public static List<DiskLayers> of(StudyData data) {
    return StudyArm.of(data.cells()).stream()
        .filter(arm -> !arm.on(Tiers.XEN, READ).isEmpty())
        .map(DiskLayers::of)
        .toList();
  }

  private static DiskLayers of(StudyArm arm) {
    List<Row> rows = arm.on(Tiers.XEN, READ).stream().map(cell -> row(arm, cell)).toList();
    List<Row> slowed =
        rows.stream()
            .filter(row -> Double.isFinite(row.slowdown()))
            .filter(row -> Double.isFinite(row.reads().magnification()))
            .toList();
    List<Row> magnified =
        slowed.stream().filter(row -> row.reads().magnification() >= MAGNIFIED).toList();
    return new DiskLayers(
        arm.name(),
        rows,
        rows.stream().mapToDouble(row -> row.reads().guest()).sum(),
        rows.stream().mapToDouble(row -> row.reads().disk()).sum(),
        slowed.size() < FEWEST
            ? Optional.empty()
            : Optional.of(
                Correlation.of(
                    slowed.stream().mapToDouble(row -> row.reads().magnification()).toArray(),
                    slowed.stream().mapToDouble(Row::slowdown).toArray())),
        magnified.size(),
        magnified.stream()
            .filter(row -> row.slowdown() > 0)
            .map(Row::name)
            .collect(Collectors.joining(", ")),
        rows.stream()
            .mapToDouble(row -> Math.abs(row.reads().base() - row.reads().guest()))
            .filter(Double::isFinite)
            .max()
            .orElse(Double.NaN));
  }

  private static Row row(StudyArm arm, StudyCell guest) {
    Cells cells = arm.cells();
    double slowdown =
        arm.pairs(Slowdowns.TIME).stream()
            .filter(pair -> pair.other().of().equals(guest.of()))
            .findFirst()
            .map(pair -> pair.slowdown(Slowdowns.TIME))
            .orElse(Double.NaN);
    return new Row(
        arm.caseOf(guest),
        DiskReads.of(cells, guest),
        guest.value(Slowdowns.TIME),
        guest.value("iowait"),
        slowdown,
        value(cells, guest, Tiers.ACTUAL, "heap_blocks_read"),
        value(cells, guest, Tiers.ACTUAL, "heap_blocks_hit"));
  }

  private static double value(Cells cells, StudyCell guest, String tier, String metric) {
    return cells.find(guest.of(), tier).map(cell -> cell.value(metric)).orElse(Double.NaN);
  }

  /**
   * The amount read by a case on each layer, in the same unit; {@code NaN} if not counted.
   *
   * @param base from the disk of the machine without Xen
   * @param guest from the guest's disk
   * @param backend for the guest
   * @param disk from the physical disk
   * @param needed by the database
   */
  @JsonPropertyOrder({
    "base",
    "guest",
    "backend",
    "disk",
    "needed",
    "magnification",
    "amplification"
  })
  public record DiskReads(double base, double guest, double backend, double disk, double needed) {
    private static final double BLOCK_MEBIBYTES = 8.0 / 1024;

    /** The reads of a case, from the cells of the guest, the control domain and the database. */
    public static DiskReads of(Cells cells, StudyCell guest) {
      return new DiskReads(
          value(cells, guest, Tiers.BASE, READ),
          guest.value(READ),
          value(cells, guest, Tiers.BACKEND, READ),
          value(cells, guest, Tiers.CONTROL, READ),
          cells.find(guest.of(), Tiers.ACTUAL).map(DiskReads::needed).orElse(Double.NaN));
    }

    private static double needed(StudyCell actual) {
      return actual.has("data_accessed")
          ? actual.value("data_accessed")
          : needed(actual.value("heap_blocks_read"), actual.value("index_blocks_read"));
    }

    /** M: reads from the disk / reads of the guest. */
    @JsonProperty
    public double magnification() {
      return disk / guest;
    }

    /** A: reads of the guest / reads needed by its database. */
    @JsonProperty
    public double amplification() {
      return guest / needed;
    }

    /** The MiB of 8-KiB blocks that a database read. */
    public static double needed(double heapBlocks, double indexBlocks) {
      return BLOCK_MEBIBYTES * (heapBlocks + indexBlocks);
    }
  }
}
