package io.slicewise.workload.tpc;

import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.workload.DatabaseOptions;
import io.slicewise.workload.Workload;
import io.slicewise.workload.WorkloadRequest;
import io.slicewise.workload.WorkloadType;
import io.slicewise.workload.target.Database;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The workload type of reads that are a fixed number of rows apart. */
public final class StrideType implements WorkloadType {
  static final String NAME = "stride";
  static final String PART = "offset-";

  private static final String ROWS = "rows";
  private static final String OFFSETS = "offsets";
  private static final long MOST_ROWS = 100_000_000;

  /** The table and the offsets of the 2007 study. */
  private static final long STUDY_ROWS = 2_000_142;

  private static final List<Long> STUDY_OFFSETS =
      List.of(1L, 10L, 50L, 100L, 200L, 400L, 800L, 1000L, 2000L, 4000L, 8000L, 10_000L);

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String summary() {
    return "Reads of every n-th row of a table in the order of its index: what read-ahead adds.";
  }

  @Override
  public String mainDomains() {
    return "the database server";
  }

  @Override
  public List<Option> options() {
    return Stream.of(
            DatabaseOptions.options(true, "the PostgreSQL database that is read").stream(),
            List.of(
                Option.withDefault(
                    ROWS,
                    new OptionKind.Whole(1000, MOST_ROWS),
                    STUDY_ROWS,
                    "rows of the table, of 200 bytes each and some more"),
                Option.optional(
                    OFFSETS,
                    new OptionKind.Many(new OptionKind.Whole(1, MOST_ROWS), 1, 100),
                    "how many rows apart a trial reads, each in separate trials; default: "
                        + STUDY_OFFSETS),
                WorkOptions.keep("whether the table is kept between trials and after the last"))
                .stream(),
            WorkOptions.OPTIONS.stream())
        .flatMap(options -> options)
        .toList();
  }

  private static List<Long> offsets(Options options) {
    List<Long> asked = options.many(OFFSETS, Long.class);
    return asked.isEmpty() ? STUDY_OFFSETS : asked;
  }

  @Override
  public List<String> parts(Options options) {
    return offsets(options).stream().distinct().map(offset -> PART + offset).toList();
  }

  @Override
  public Optional<Duration> work(Options options) {
    return WorkOptions.work(options);
  }

  @Override
  public Workload make(WorkloadRequest request) {
    Options options = request.options();
    Database database = DatabaseOptions.needed(NAME, request);
    WorkOptions work = WorkOptions.of(NAME, options, 1);
    Map<String, String> properties =
        new LinkedHashMap<>(DatabaseProperties.of(database, StrideTable.NAME));
    properties.putAll(work.properties());
    properties.putAll(request.properties());
    return new Stride(
        Optional.of(request.planOr(NAME)),
        properties,
        new StrideTable(database, options.whole(ROWS)),
        offsets(options).get(0),
        options.flag(WorkOptions.KEEP),
        work,
        new TouchedBlocks());
  }
}
