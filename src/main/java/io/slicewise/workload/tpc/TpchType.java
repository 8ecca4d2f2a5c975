package io.slicewise.workload.tpc;

import io.slicewise.base.units.Measure;
import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.load.jtl.GeneratorSamples;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.load.jtl.SampleSummary;
import io.slicewise.workload.DatabaseOptions;
import io.slicewise.workload.Workload;
import io.slicewise.workload.WorkloadRequest;
import io.slicewise.workload.WorkloadType;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.tpc.QueryAnswer.KnownAnswers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The workload type of TPC-H. */
public final class TpchType extends WorkloadType {
  static final String NAME = "tpch";

  private static final String SCALE = "scale";
  private static final String PARAMETERS = "parameters";
  private static final String VALIDATION = "validation";
  private static final String SEED = "parameter-seed";
  private static final String CONNECTION = "connection";
  private static final String QUERIES = "queries";
  private static final String EACH = "each";
  private static final String QUERY = "query";
  private static final int MOST_SCALE = 300;

  public TpchType() {
    super(
        NAME,
        "TPC-H's 22 queries on PostgreSQL, one stream of queries per user.",
        "the database server");
  }

  @Override
  public List<Option> options() {
    return Option.join(
        DatabaseOptions.options(true, "the PostgreSQL database that is queried"),
        List.of(
            Option.withDefault(
                SCALE, new OptionKind.Positive(), 1.0, "the scale factor: 1 is 1 GB of rows"),
            Option.withDefault(
                PARAMETERS,
                new OptionKind.Word(List.of(VALIDATION, "random")),
                VALIDATION,
                "the values in the queries: those for validation from the specification, or"
                    + " random ones"),
            Option.withDefault(
                SEED,
                new OptionKind.Whole(0, Integer.MAX_VALUE),
                1L,
                "the seed of random values, drawn per stream; all trials use the same"),
            Option.withDefault(
                CONNECTION,
                new OptionKind.Word(List.of("one", QUERY)),
                "one",
                "whether a stream keeps one connection or opens one per query"),
            Option.optional(
                QUERIES,
                new OptionKind.Many(new OptionKind.Word(TpchQueries.NAMES), 1, 22),
                "the queries of a stream, in order; default: all 22"),
            Option.optional(
                EACH,
                new OptionKind.Word(List.of(QUERY)),
                "query: a trial for each query, which then has the window and its counters"
                    + " alone; default: all queries in every trial"),
            WorkOptions.keep("whether the tables are kept between trials and after the last")),
        WorkOptions.OPTIONS);
  }

  @Override
  public List<String> parts(Options options) {
    return options.text(EACH).isEmpty() ? List.of() : queries(options).stream().distinct().toList();
  }

  @Override
  public Optional<Duration> work(Options options) {
    return WorkOptions.work(options);
  }

  private static List<String> queries(Options options) {
    List<String> asked = options.many(QUERIES, String.class);
    return asked.isEmpty() ? TpchQueries.NAMES : asked;
  }

  @Override
  public Workload make(WorkloadRequest request) {
    Options options = request.options();
    Database database = DatabaseOptions.needed(NAME, request);
    double scale = scale(options);
    OptionalLong seed =
        options.text(PARAMETERS).orElse(VALIDATION).equals(VALIDATION)
            ? OptionalLong.empty()
            : OptionalLong.of(options.whole(SEED));
    Map<String, String> parameters =
        seed.isEmpty()
            ? TpchParameters.validation(scale)
            : TpchParameters.random(seed.getAsLong(), scale);
    List<String> queries = queries(options);
    Path plan = request.planOr(NAME);
    Map<String, String> properties =
        new LinkedHashMap<>(DatabaseProperties.of(database, TpchSchema.NAME));
    properties.putAll(parameters);
    properties.put(QUERIES, String.join(" ", queries));
    WorkOptions work = WorkOptions.of(NAME, options, options.has(EACH) ? 1 : queries.size());
    properties.putAll(work.properties());
    properties.put(CONNECTION, options.text(CONNECTION).orElse("one"));
    if (seed.isEmpty()) {
      KnownAnswers.at(scale)
          .ifPresent(
              right ->
                  right.forEach(
                      (query, answer) ->
                          properties.put(query + "-rows", Integer.toString(answer.rows()))));
    }
    properties.putAll(request.properties());
    return new Tpch(
        plan,
        properties,
        database,
        scale,
        new QueryValues(parameters, seed, request.properties().keySet()),
        queries,
        options.flag(WorkOptions.KEEP),
        work,
        new TouchedBlocks());
  }

  private static double scale(Options options) {
    double scale = options.number(SCALE);
    if (scale > MOST_SCALE || !TpchTable.hasDistinctKeys(scale)) {
      throw SlicewiseException.input(
          ("workload %s: scale %s is not supported: TPC-H's generator would not produce"
                  + " distinct keys that fit their columns")
              .formatted(NAME, scale),
          "use 0.01, or anything from 0.024 to " + MOST_SCALE);
    }
    return scale;
  }

  /**
   * The values in the queries.
   *
   * @param parameters by the name of the plan's property
   * @param seed for the parameters of the streams; empty for the validation values, whose answers
   *     may be known
   * @param fixed properties set by the experiment, which are not drawn
   */
  private record QueryValues(Map<String, String> parameters, OptionalLong seed, Set<String> fixed) {
    QueryValues {
      parameters = Map.copyOf(parameters);
      fixed = Set.copyOf(fixed);
    }

    /** Returns what is drawn for each of the streams. */
    Map<String, String> ofStreams(int streams) {
      Map<String, String> drawn = new LinkedHashMap<>();
      seed.ifPresent(number -> drawn.putAll(TpchParameters.streams(number, streams)));
      drawn.keySet().removeIf(name -> fixed.contains(name.substring(0, name.lastIndexOf('.'))));
      return drawn;
    }
  }

  /**
   * TPC-H's queries on PostgreSQL.
   *
   * @param queries names of the queries
   * @param keep whether the tables stay between trials
   * @param counts of the trial that this workload was set up for
   */
  private record Tpch(
      Path file,
      Map<String, String> properties,
      Database database,
      double scale,
      QueryValues values,
      List<String> queries,
      boolean keep,
      WorkOptions work,
      TouchedBlocks counts)
      implements Workload {
    static final String APPLICATION = "slicewise-tpch";

    Tpch {
      properties = Map.copyOf(properties);
      queries = List.copyOf(queries);
    }

    @Override
    public Optional<Path> plan() {
      return Optional.of(file);
    }

    /** Each stream has its own parameters if they are drawn. */
    @Override
    public Map<String, String> properties(int users) {
      Map<String, String> all = values.ofStreams(users);
      all.putAll(properties);
      return all;
    }

    @Override
    public Map<String, Secret> secrets() {
      return Map.of(DatabaseProperties.PASSWORD, database.password());
    }

    @Override
    public Workload only(String part) {
      Map<String, String> alone = new LinkedHashMap<>(properties);
      alone.put("queries", part);
      return new Tpch(
          file, alone, database, scale, values, List.of(part), keep, work, new TouchedBlocks());
    }

    private TpchSchema schema() {
      return new TpchSchema(database, scale);
    }

    /** Checks the answers after loading the tables, which do not change afterwards. */
    @Override
    public void setUp() {
      StaleSessions.end(database, APPLICATION);
      boolean loaded = keep ? schema().createUnlessThere() : load();
      if (loaded) {
        rightAnswers()
            .ifPresent(
                right -> schema().checkAnswers(TpchQueries.read(file, values.parameters()), right));
      }
      work.prepare(asked(), counts);
    }

    /** The queries of the plan with the values of its first stream. */
    private Asked asked() {
      Map<String, String> all = TpchQueries.read(file, values.parameters());
      return new Asked(
          database,
          TpchSchema.NAME,
          APPLICATION,
          queries.stream().distinct().map(all::get).toList());
    }

    private boolean load() {
      schema().create();
      return true;
    }

    /** The correct answers, known only for some scale factors and for the validation values. */
    private Optional<Map<String, QueryAnswer>> rightAnswers() {
      return values.seed().isEmpty() ? KnownAnswers.at(scale) : Optional.empty();
    }

    @Override
    public Optional<String> complaint() {
      try {
        schema().check();
        TpchQueries.read(file, values.parameters());
        return Optional.empty();
      } catch (SlicewiseException fault) {
        return Optional.of(fault.getMessage());
      }
    }

    @Override
    public void tearDown() {
      StaleSessions.end(database, APPLICATION);
      if (!keep) {
        schema().drop();
      }
    }

    /** The geometric mean of the queries' mean times, if every query was answered. */
    @Override
    public List<Measure> measures(Reduction reduction, List<GeneratorSamples> samples) {
      Map<String, SampleSummary> byLabel = reduction.byLabel();
      double logs =
          queries.stream()
              .mapToDouble(
                  query ->
                      byLabel.containsKey(query)
                          ? Math.log(byLabel.get(query).responseTimes().mean())
                          : Double.NaN)
              .sum();
      List<Measure> measures = new ArrayList<>();
      measures.add(new Measure("query-time", "ms", false, Math.exp(logs / queries.size())));
      if (work.isWork()) {
        long executions = reduction.total().samples();
        measures.addAll(work.measures(asked(), counts, executions, kept()));
      }
      return measures;
    }

    /** Connecting has a sample of its own, which is no query. */
    @Override
    public Set<String> totalLabels() {
      return Set.copyOf(queries);
    }

    /** Streams also connect, if only once, which the total does not show. */
    @Override
    public boolean pausesAreThinking() {
      return true;
    }

    /** Whether a stream has one connection for all its queries. */
    private boolean kept() {
      return !"query".equals(properties.get("connection"));
    }

    @Override
    public List<String> remarks() {
      return work.isWork() ? TouchedBlocks.remarks(database) : List.of();
    }

    @Override
    public Map<String, String> facts() {
      return Asked.shownFacts(database);
    }
  }
}
