package io.slicewise.evidence.study;

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
   * One case; MB.
   *
   * @param magnification M: disk / guest
   * @param amplification A: guest / needed
   * @param iowait of the guest, in seconds
   * @param slowdown in percent
   * @param hits heap blocks found in the database's buffers
   * @param blocks heap blocks read by the database
   */
  public record Row(
      String name,
      double base,
      double guest,
      double backend,
      double disk,
      double needed,
      double magnification,
      double amplification,
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
            .filter(row -> Double.isFinite(row.slowdown()) && Double.isFinite(row.magnification()))
            .toList();
    List<Row> magnified = slowed.stream().filter(row -> row.magnification() >= MAGNIFIED).toList();
    return new DiskLayers(
        arm.name(),
        rows,
        rows.stream().mapToDouble(Row::guest).sum(),
        rows.stream().mapToDouble(Row::disk).sum(),
        slowed.size() < FEWEST
            ? Optional.empty()
            : Optional.of(
                Correlation.of(
                    slowed.stream().mapToDouble(Row::magnification).toArray(),
                    slowed.stream().mapToDouble(Row::slowdown).toArray())),
        magnified.size(),
        magnified.stream()
            .filter(row -> row.slowdown() > 0)
            .map(Row::name)
            .collect(Collectors.joining(", ")),
        rows.stream()
            .mapToDouble(row -> Math.abs(row.base() - row.guest()))
            .filter(Double::isFinite)
            .max()
            .orElse(Double.NaN));
  }

  private static Row row(StudyArm arm, StudyCell guest) {
    Cells cells = arm.cells();
    DiskReads reads = DiskReads.of(cells, guest);
    Optional<StudyCell> base = cells.find(guest.of(), Tiers.BASE);
    Optional<StudyCell> actual = cells.find(guest.of(), Tiers.ACTUAL);
    double slowdown =
        arm.pairs(Slowdowns.TIME).stream()
            .filter(pair -> pair.other().of().equals(guest.of()))
            .findFirst()
            .map(pair -> pair.slowdown(Slowdowns.TIME))
            .orElse(Double.NaN);
    return new Row(
        arm.caseOf(guest),
        value(base, READ),
        reads.guest(),
        value(cells.find(guest.of(), Tiers.BACKEND), READ),
        reads.disk(),
        reads.needed(),
        reads.magnification(),
        reads.amplification(),
        guest.value(Slowdowns.TIME),
        guest.value("iowait"),
        slowdown,
        value(actual, "heap_blocks_read"),
        value(actual, "heap_blocks_hit"));
  }

  private static double value(Optional<StudyCell> cell, String metric) {
    return cell.map(known -> known.value(metric)).orElse(Double.NaN);
  }

  /**
   * The amount read by a case on each layer, in the same unit.
   *
   * @param needed by the database; {@code NaN} if not counted
   * @param guest from the guest's disk
   * @param disk from the physical disk
   */
  public record DiskReads(double needed, double guest, double disk) {
    private static final double BLOCK_MEBIBYTES = 8.0 / 1024;

    /** The reads of a case, from the cells of the guest, the control domain and the database. */
    public static DiskReads of(Cells cells, StudyCell guest) {
      return new DiskReads(
          cells.find(guest.of(), "actual").map(DiskReads::needed).orElse(Double.NaN),
          guest.value("disk_read"),
          cells.find(guest.of(), "dom0").map(cell -> cell.value("disk_read")).orElse(Double.NaN));
    }

    private static double needed(StudyCell actual) {
      return actual.has("data_accessed")
          ? actual.value("data_accessed")
          : needed(actual.value("heap_blocks_read"), actual.value("index_blocks_read"));
    }

    /** M: reads from the disk / reads of the guest. */
    public double magnification() {
      return disk / guest;
    }

    /** A: reads of the guest / reads needed by its database. */
    public double amplification() {
      return guest / needed;
    }

    /** The MiB of 8-KiB blocks that a database read. */
    public static double needed(double heapBlocks, double indexBlocks) {
      return BLOCK_MEBIBYTES * (heapBlocks + indexBlocks);
    }
  }
}
