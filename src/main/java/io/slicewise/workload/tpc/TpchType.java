package io.slicewise.workload.tpc;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.workload.DatabaseOptions;
import io.slicewise.workload.Workload;
import io.slicewise.workload.WorkloadRequest;
import io.slicewise.workload.WorkloadType;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.tpc.QueryAnswer.KnownAnswers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The workload type of TPC-H. */
public final class TpchType implements WorkloadType {
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

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String summary() {
    return "TPC-H's 22 queries on PostgreSQL, one stream of queries per user.";
  }

  @Override
  public String mainDomains() {
    return "the database server";
  }

  @Override
  public List<Option> options() {
    return Stream.of(
            DatabaseOptions.options(true, "the PostgreSQL database that is queried").stream(),
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
                WorkOptions.keep("whether the tables are kept between trials and after the last"))
                .stream(),
            WorkOptions.OPTIONS.stream())
        .flatMap(options -> options)
        .toList();
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
        parameters,
        seed,
        request.properties().keySet(),
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
}
