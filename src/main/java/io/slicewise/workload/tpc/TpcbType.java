package io.slicewise.workload.tpc;

import io.slicewise.base.units.Phrase;
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
import java.util.Optional;
import java.util.function.DoubleSupplier;

/** The workload type of the TPC-B-like transaction. */
public final class TpcbType extends WorkloadType {
  static final String NAME = "tpcb";

  private static final String SIZE = "size";
  static final String SCALE = "scale";
  private static final String MEMORY = "memory";
  private static final String OTHERS = "others";
  private static final String INTERFERENCE = "interference";
  private static final String CLIENTS = "interference-clients";
  private static final String VERIFY = "verify";
  private static final int MOST_SCALE = 20_000;
  private static final double MEGABYTE = 1e6;
  private static final int MOST_GUESTS = 16;
  private static final int MOST_CLIENTS = 1000;
  private static final String SMALL = "small";

  /** Tables and indexes of one scale. */
  static final double SCALE_BYTES = 15.8e6;

  /** The scales for 0.16, 1.6 and 7.9 GB of tables and indexes. */
  private static final Map<String, Integer> SIZES = Map.of(SMALL, 10, "medium", 100, "large", 500);

  private static final String MULTIPLE = "[0-9]{1,3}(\\.[0-9]{1,3})?x";

  public TpcbType() {
    super(
        NAME,
        "pgbench's TPC-B-like transaction on PostgreSQL, with the same load on other guests.",
        "the database server");
  }

  private static String multiple(String text) {
    if (!text.matches(MULTIPLE) || !(factor(text) > 0)) {
      throw new IllegalArgumentException(
          "'%s' is not a multiple above 0, as in 0.3x or 1.25x".formatted(text));
    }
    return text;
  }

  private static double factor(String multiple) {
    return Double.parseDouble(multiple.substring(0, multiple.length() - 1));
  }

  @Override
  public List<Option> options() {
    List<Option> other =
        Option.join(
            List.of(Option.needed("name", new OptionKind.Text(), "the guest's domain")),
            DatabaseOptions.options(true, "its PostgreSQL database"));
    return Option.join(
        DatabaseOptions.options(true, "the PostgreSQL database that is loaded"),
        List.of(
            Option.withDefault(
                SIZE,
                new OptionKind.Word(List.of(SMALL, "medium", "large")),
                SMALL,
                "the working set: 0.16, 1.6 or 7.9 GB"),
            Option.optional(
                MEMORY,
                new OptionKind.Parsed(
                    OptionKind.ordered("type", "string", "pattern", "^" + MULTIPLE + "$"),
                    "1.25x",
                    TpcbType::multiple),
                "the working set as a multiple of the guest's memory instead of a size"),
            Option.optional(
                SCALE,
                new OptionKind.Whole(1, MOST_SCALE),
                "pgbench's scale factor instead of a size or a multiple"),
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
                "clients on each interfering guest"),
            Option.withDefault(
                VERIFY,
                new OptionKind.Flag(),
                false,
                "whether each block also has four conditions without neighbours")));
  }

  @Override
  public int fewestGuests(Options options) {
    return 1
        + (options.has(INTERFERENCE)
            ? Math.toIntExact(Collections.max(options.levels(INTERFERENCE)))
            : 0);
  }

  /** One number is a condition of the whole experiment; several numbers are an axis of its plan. */
  @Override
  public List<Integer> neighbours(Options options) {
    List<Long> levels = options.has(INTERFERENCE) ? options.levels(INTERFERENCE) : List.of();
    return levels.size() < 2 ? List.of() : levels.stream().map(Math::toIntExact).toList();
  }

  @Override
  public Map<String, Double> lone(Options options) {
    return options.has(VERIFY) && options.flag(VERIFY) ? Tpcb.LONE : Map.of();
  }

  /** A size and a multiple of the memory are other names of a scale. */
  @Override
  public Map<String, String> conditions(Options options) {
    Map<String, String> words = new LinkedHashMap<>(super.conditions(options));
    words.remove(SIZE);
    if (!unsized(options)) {
      words.remove(MEMORY);
      words.put(SCALE, Integer.toString(scale(options)));
    }
    return words;
  }

  private static boolean unsized(Options options) {
    return options.has(MEMORY) && !options.has(SCALE);
  }

  @Override
  public Optional<Sized> sized(Options options, DoubleSupplier memory) {
    if (!unsized(options)) {
      return Optional.empty();
    }
    String multiple = options.text(MEMORY).orElseThrow();
    double bytes = memory.getAsDouble();
    long scale = Math.max(1, Math.round(factor(multiple) * bytes / SCALE_BYTES));
    if (scale > MOST_SCALE) {
      throw SlicewiseException.input(
          "workload %s: %s of %.0f MB needs scale %d, more than %d"
              .formatted(NAME, multiple, bytes / MEGABYTE, scale, MOST_SCALE),
          "use a smaller multiple");
    }
    Map<String, Object> values = new LinkedHashMap<>(options.values());
    values.put(SCALE, scale);
    return Optional.of(
        new Sized(
            values,
            Phrase.of(
                "scale %d: a database of %.0f MB, %.2f times the memory of %.0f MB",
                scale,
                scale * SCALE_BYTES / MEGABYTE,
                scale * SCALE_BYTES / bytes,
                bytes / MEGABYTE)));
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
    if (unsized(options)) {
      throw SlicewiseException.input(
          "workload %s: the guest's memory is not known, so %s: %s is no size"
              .formatted(NAME, MEMORY, options.text(MEMORY).orElseThrow()),
          "use a scale");
    }
    return options.has(SCALE)
        ? (int) options.whole(SCALE)
        : SIZES.get(options.text(SIZE).orElse(SMALL));
  }

  private static Map<String, Database> interfering(
      Options options, Database loaded, Map<String, String> environment) {
    List<Options> others = options.groups(OTHERS);
    int wanted = Math.toIntExact(Collections.max(options.levels(INTERFERENCE)));
    if (wanted > others.size()) {
      throw SlicewiseException.input(
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
        throw SlicewiseException.input(
            "workload %s: %s, the database of %s, is listed twice".formatted(NAME, its.url(), name),
            "use a separate database for each guest");
      }
      databases.put(name, its);
    }
    return databases;
  }
}
