package io.slicewise.workload.tpc;

import io.slicewise.base.units.Measure;
import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.load.jtl.GeneratorSamples;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.load.jtl.SampleSummary;
import io.slicewise.workload.Workload;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.tpc.QueryAnswer.KnownAnswers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * TPC-H's queries on PostgreSQL.
 *
 * @param parameters substituted in the queries, by the name of the plan's property
 * @param seed for the parameters of the streams; empty for the validation values, whose answers may
 *     be known
 * @param fixed properties set by the experiment, which are not drawn
 * @param queries names of the queries
 * @param keep whether the tables stay between trials
 * @param counts of the trial that this workload was set up for
 */
record Tpch(
    Path file,
    Map<String, String> properties,
    Database database,
    double scale,
    Map<String, String> parameters,
    OptionalLong seed,
    Set<String> fixed,
    List<String> queries,
    boolean keep,
    WorkOptions work,
    TouchedBlocks counts)
    implements Workload {
  static final String APPLICATION = "slicewise-tpch";

  Tpch {
    properties = Map.copyOf(properties);
    parameters = Map.copyOf(parameters);
    fixed = Set.copyOf(fixed);
    queries = List.copyOf(queries);
  }

  @Override
  public Optional<Path> plan() {
    return Optional.of(file);
  }

  /** Each stream has its own parameters if they are drawn. */
  @Override
  public Map<String, String> properties(int users) {
    if (seed.isEmpty()) {
      return properties;
    }
    Map<String, String> all = new LinkedHashMap<>(TpchParameters.streams(seed.getAsLong(), users));
    all.keySet().removeIf(name -> fixed.contains(name.substring(0, name.lastIndexOf('.'))));
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
        file,
        alone,
        database,
        scale,
        parameters,
        seed,
        fixed,
        List.of(part),
        keep,
        work,
        new TouchedBlocks());
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
          .ifPresent(right -> schema().checkAnswers(TpchQueries.read(file, parameters), right));
    }
    work.prepare(asked(), counts);
  }

  /** The queries of the plan with the values of its first stream. */
  private Asked asked() {
    Map<String, String> all = TpchQueries.read(file, parameters);
    return new Asked(
        database, TpchSchema.NAME, APPLICATION, queries.stream().distinct().map(all::get).toList());
  }

  private boolean load() {
    schema().create();
    return true;
  }

  /** The correct answers, known only for some scale factors and for the validation values. */
  private Optional<Map<String, QueryAnswer>> rightAnswers() {
    return seed.isEmpty() ? KnownAnswers.at(scale) : Optional.empty();
  }

  @Override
  public Optional<String> complaint() {
    try {
      schema().check();
      TpchQueries.read(file, parameters);
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
