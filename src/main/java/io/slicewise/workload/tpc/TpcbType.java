package io.slicewise.workload.tpc;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.load.jtl.ReductionOptions.Counted;
import io.slicewise.workload.DatabaseOptions;
import io.slicewise.workload.Workload;
import io.slicewise.workload.WorkloadRequest;
import io.slicewise.workload.WorkloadType;
import io.slicewise.workload.target.Database;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The workload type of the TPC-B-like transaction. */
public final class TpcbType implements WorkloadType {
  static final String NAME = "tpcb";

  private static final String SIZE = "size";
  private static final String SCALE = "scale";
  private static final String OTHERS = "others";
  private static final String INTERFERENCE = "interference";
  private static final String CLIENTS = "interference-clients";
  private static final int MOST_SCALE = 20_000;
  private static final int MOST_GUESTS = 16;
  private static final int MOST_CLIENTS = 1000;
  private static final String SMALL = "small";

  /** The scales for 0.16, 1.6 and 7.9 GB of tables and indexes. */
  private static final Map<String, Integer> SIZES = Map.of(SMALL, 10, "medium", 100, "large", 500);

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String summary() {
    return "pgbench's TPC-B-like transaction on PostgreSQL, with the same load on other guests.";
  }

  @Override
  public String mainDomains() {
    return "the database server";
  }

  @Override
  public Need target() {
    return Need.NO;
  }

  @Override
  public List<Option> options() {
    List<Option> other =
        Stream.concat(
                Stream.of(Option.needed("name", new OptionKind.Text(), "the guest's domain")),
                DatabaseOptions.options(true, "its PostgreSQL database").stream())
            .toList();
    return Stream.concat(
            DatabaseOptions.options(true, "the PostgreSQL database that is loaded").stream(),
            Stream.of(
                Option.withDefault(
                    SIZE,
                    new OptionKind.Word(List.of(SMALL, "medium", "large")),
                    SMALL,
                    "the working set: 0.16, 1.6 or 7.9 GB"),
                Option.optional(
                    SCALE,
                    new OptionKind.Whole(1, MOST_SCALE),
                    "pgbench's scale factor instead of a size"),
                Option.optional(
                    OTHERS,
                    new OptionKind.Many(new OptionKind.Group(other), 1, MOST_GUESTS),
                    "other guests with a database that may interfere"),
                Option.withDefault(
                    INTERFERENCE,
                    new OptionKind.Levels(0, MOST_GUESTS),
                    0L,
                    "how many of the others interfere, in order; or several numbers to sweep"),
                Option.withDefault(
                    CLIENTS,
                    new OptionKind.Whole(1, MOST_CLIENTS),
                    4L,
                    "clients on each interfering guest")))
        .toList();
  }

  /** One number is a condition of the whole experiment; several numbers are an axis of its plan. */
  @Override
  public List<Integer> neighbours(Options options) {
    List<Long> levels = options.has(INTERFERENCE) ? options.levels(INTERFERENCE) : List.of();
    return levels.size() < 2 ? List.of() : levels.stream().map(Math::toIntExact).toList();
  }

  /** A size is an alias of a scale. */
  @Override
  public Map<String, String> conditions(Options options) {
    Map<String, String> words = new LinkedHashMap<>(WorkloadType.super.conditions(options));
    words.remove(SIZE);
    words.put(SCALE, Integer.toString(scale(options)));
    return words;
  }

  @Override
  public Workload make(WorkloadRequest request) {
    Options options = request.options();
    Database database = DatabaseOptions.needed(NAME, request);
    int scale = scale(options);
    Path plan = request.planOr(NAME);
    Map<String, String> properties =
        new LinkedHashMap<>(DatabaseProperties.of(database, TpcbSchema.NAME));
    properties.put(SCALE, Integer.toString(scale));
    properties.putAll(request.properties());
    return new Tpcb(
        plan,
        properties,
        database,
        scale,
        interfering(options, database, request.environment()),
        (int) options.whole(CLIENTS),
        counted(request));
  }

  /** A sample of the included plan is a transaction; in another plan, the sum of a controller. */
  private static Counted counted(WorkloadRequest request) {
    return request.plan().isPresent() ? Counted.TRANSACTIONS : Counted.REQUESTS;
  }

  private static int scale(Options options) {
    return options.has(SCALE)
        ? (int) options.whole(SCALE)
        : SIZES.get(options.text(SIZE).orElse(SMALL));
  }

  private static Map<String, Database> interfering(
      Options options, Database loaded, Map<String, String> environment) {
    List<Options> others = options.groups(OTHERS);
    int wanted = Math.toIntExact(Collections.max(options.levels(INTERFERENCE)));
    if (wanted > others.size()) {
      throw new SlicewiseException(
          ErrorKind.INPUT,
          ("workload %s: interference %s needs at least as many guests under 'others';"
                  + " there are %s")
              .formatted(NAME, wanted, others.size()),
          "list their databases there");
    }
    Map<String, Database> databases = new LinkedHashMap<>();
    for (Options other : others.subList(0, wanted)) {
      String name = other.text("name").orElseThrow();
      Database its = DatabaseOptions.database(other, environment).orElseThrow();
      if (its.url().equals(loaded.url()) || databases.containsValue(its)) {
        throw new SlicewiseException(
            ErrorKind.INPUT,
            "workload %s: %s, the database of %s, is listed twice".formatted(NAME, its.url(), name),
            "use a separate database for each guest");
      }
      databases.put(name, its);
    }
    return databases;
  }
}
