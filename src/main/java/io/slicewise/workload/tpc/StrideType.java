package io.slicewise.workload.tpc;

import io.slicewise.base.units.Measure;
import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.load.jtl.GeneratorSamples;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.workload.DatabaseOptions;
import io.slicewise.workload.Workload;
import io.slicewise.workload.WorkloadRequest;
import io.slicewise.workload.WorkloadType;
import io.slicewise.workload.target.Database;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The workload type of reads that are a fixed number of rows apart. */
public final class StrideType extends WorkloadType {
  static final String NAME = "stride";
  static final String PART = "offset-";

  private static final String ROWS = "rows";
  private static final String OFFSETS = "offsets";
  private static final long MOST_ROWS = 100_000_000;

  /** The table and the offsets of the 2007 study. */
  private static final long STUDY_ROWS = 2_000_142;

  private static final List<Long> STUDY_OFFSETS =
      List.of(1L, 10L, 50L, 100L, 200L, 400L, 800L, 1000L, 2000L, 4000L, 8000L, 10_000L);

  public StrideType() {
    super(
        NAME,
        "Reads of every n-th row of a table in the order of its index: what read-ahead adds.",
        "the database server");
  }

  @Override
  public List<Option> options() {
    return Option.join(
        DatabaseOptions.options(true, "the PostgreSQL database that is read"),
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
            WorkOptions.keep("whether the table is kept between trials and after the last")),
        WorkOptions.OPTIONS);
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

  /**
   * Reads of every n-th row of a table: how many more bytes than needed a guest reads, and how many
   * more than the guest its disk.
   *
   * @param offset rows from one read to the next
   * @param keep whether the table stays between trials
   * @param blocks of the trial that this workload was set up for
   */
  record Stride(
      Optional<Path> plan,
      Map<String, String> properties,
      StrideTable table,
      long offset,
      boolean keep,
      WorkOptions work,
      TouchedBlocks blocks)
      implements Workload {
    private static final String APPLICATION = "slicewise-stride";

    Stride {
      properties = Map.copyOf(properties);
    }

    @Override
    public Map<String, String> properties() {
      Map<String, String> all = new LinkedHashMap<>(properties);
      all.put("label", StrideType.PART + offset);
      all.put("query", table.query(offset));
      all.put("count", Long.toString(table.touched(offset)));
      return all;
    }

    @Override
    public Map<String, Secret> secrets() {
      return Map.of(DatabaseProperties.PASSWORD, table.database().password());
    }

    @Override
    public Workload only(String part) {
      long own = Long.parseLong(part.substring(StrideType.PART.length()));
      return new Stride(plan, properties, table, own, keep, work, new TouchedBlocks());
    }

    private Asked asked() {
      return new Asked(
          table.database(), StrideTable.NAME, APPLICATION, List.of(table.query(offset)));
    }

    @Override
    public void setUp() {
      StaleSessions.end(table.database(), APPLICATION);
      table.create(keep);
      work.prepare(asked(), blocks);
    }

    @Override
    public Optional<String> complaint() {
      try {
        table.check();
        return Optional.empty();
      } catch (SlicewiseException fault) {
        return Optional.of(fault.getMessage());
      }
    }

    @Override
    public void tearDown() {
      StaleSessions.end(table.database(), APPLICATION);
      if (!keep) {
        table.drop();
      }
    }

    @Override
    public Set<String> totalLabels() {
      return Set.of(StrideType.PART + offset);
    }

    @Override
    public List<Measure> measures(Reduction reduction, List<GeneratorSamples> samples) {
      if (!work.isWork()) {
        return List.of();
      }
      List<Measure> all =
          new ArrayList<>(work.measures(asked(), blocks, reduction.total().samples(), true));
      all.add(new Measure("rows-read", "rows", true, table.touched(offset)));
      return all;
    }

    @Override
    public List<String> remarks() {
      return work.isWork() ? TouchedBlocks.remarks(table.database()) : List.of();
    }

    @Override
    public Map<String, String> facts() {
      return Asked.shownFacts(table.database());
    }
  }

  /**
   * A table whose rows lie in the order of their running number, which is indexed.
   *
   * @param rows their number
   */
  record StrideTable(Database database, long rows) {
    static final String NAME = "slicewise_stride";

    private static final String TABLE = "relr";

    private static final List<String> CREATION =
        List.of(
            "CREATE TABLE relr (row_id bigint NOT NULL, filler char(200) NOT NULL)",
            "INSERT INTO relr SELECT n, md5(n::text) FROM generate_series(1, %d) AS n",
            "CREATE UNIQUE INDEX relr_row_id ON relr (row_id)",
            "ANALYZE relr");

    private MarkedSchema schema() {
      return new MarkedSchema(database, NAME, Set.of(TABLE));
    }

    private String content() {
      return "stride with %d rows".formatted(rows);
    }

    void create(boolean keep) {
      if (keep && schema().content().filter(content()::equals).isPresent()) {
        return;
      }
      schema()
          .create(
              content(),
              connection -> {
                for (String sql : CREATION) {
                  MarkedSchema.execute(connection, sql.formatted(rows));
                }
                return true;
              });
    }

    void check() {
      schema().content();
    }

    void drop() {
      schema().drop();
    }

    /** The query that reads every {@code offset}-th row through the index, one after the other. */
    String query(long offset) {
      return ("SELECT count(filler) FROM generate_series(1, %d, %d) AS n"
              + " CROSS JOIN LATERAL (SELECT filler FROM relr WHERE row_id = n OFFSET 0) AS one")
          .formatted(rows, offset);
    }

    /** The number of rows that the query reads. */
    long touched(long offset) {
      return (rows + offset - 1) / offset;
    }
  }
}
