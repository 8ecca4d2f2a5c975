package io.slicewise.workload.counters;

import io.slicewise.base.units.Measure;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.workload.WorkloadRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * A number made of counters that only grow: the growth of one in a second, or divided by that of
 * another one.
 *
 * @param counter the one that is divided, or whose buckets have the percentile
 * @param per by whose growth it is divided; empty for each second
 * @param percentile of a histogram's buckets; empty for all other numbers
 */
record Growth(
    String name,
    String unit,
    boolean moreIsBetter,
    String counter,
    Optional<String> per,
    OptionalInt percentile) {
  static final String MEASURES = "measures";
  static final String GROWTH = "growth";
  static final String PER = "per";
  static final String PERCENTILE = "percentile";
  private static final String MORE = "more";

  /** Returns the option that lists numbers, whose counters are of a kind. */
  static Option option(OptionKind counter, String which, List<Option> further) {
    List<Option> ofOne =
        Option.join(
            List.of(
                Option.needed(GROWTH, counter, which),
                Option.optional(
                    PER, counter, "the counter by whose growth it is divided; default: seconds"),
                Option.optional("unit", new OptionKind.Text(), "printed after it"),
                Option.withDefault(
                    "better",
                    new OptionKind.Word(List.of("less", MORE)),
                    "less",
                    "which way is better")),
            further);
    return Option.needed(
        MEASURES,
        new OptionKind.Named(new OptionKind.Group(ofOne)),
        "the numbers of a window, by name; a goal names one as 'outcome NAME'");
  }

  /** Returns the names of the numbers that a file lists. */
  static List<String> names(Options options) {
    return options.group(MEASURES).map(all -> List.copyOf(all.values().keySet())).orElse(List.of());
  }

  /**
   * Returns the numbers that a file lists.
   *
   * @throws io.slicewise.base.units.SlicewiseException if there is none
   */
  static List<Growth> all(String workload, Options options) {
    Options all = new Options(options.group(MEASURES).map(Options::values).orElse(Map.of()));
    if (all.values().isEmpty()) {
      throw WorkloadRequest.missing(workload, "'measures': the numbers of a window");
    }
    return all.values().keySet().stream().map(name -> of(name, all.group(name).get())).toList();
  }

  private static Growth of(String name, Options number) {
    return new Growth(
        name,
        number.text("unit").orElse(""),
        number.text("better").filter(MORE::equals).isPresent(),
        number.text(GROWTH).orElseThrow(),
        number.text(PER),
        number.optionalInteger(PERCENTILE));
  }

  /** Returns the counters that it needs. */
  Stream<String> counters() {
    return Stream.concat(Stream.of(counter), per.stream());
  }

  /**
   * Returns the growth of a counter divided by that of another one.
   *
   * @param faults takes that the other one, of this name, did not grow
   */
  static double quotient(double grown, double by, String name, List<String> faults) {
    if (by == 0) {
      faults.add(name + " counted nothing");
    }
    return by > 0 ? grown / by : Double.NaN;
  }

  Measure measure(double value) {
    return new Measure(name, unit, moreIsBetter, value);
  }
}
