package io.slicewise.host.xen;

import io.slicewise.host.Domain;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.SchedulerParameters;
import java.time.Duration;
import java.util.List;

/**
 * What xl prints and takes of one parameter of a scheduler: a column of its listing, and an option
 * of the same command.
 *
 * @param since the first version with it, as major × 100 + minor; 0 if it was always there
 */
record Column<T>(Parameter<T> parameter, String option, String title, Form<T> form, int since) {
  private static final long NANOS_A_MICRO = 1_000;

  /**
   * How a value is written.
   *
   * @param <T> its type
   */
  interface Form<T> {
    Form<Integer> NUMBER =
        new Form<>() {
          @Override
          public Integer none() {
            return 0;
          }

          @Override
          public Integer read(String cell) {
            return Integer.valueOf(cell);
          }
        };

    Form<Duration> MICROS =
        new Form<>() {
          @Override
          public Duration none() {
            return Duration.ZERO;
          }

          @Override
          public Duration read(String cell) {
            return Duration.ofNanos(Long.parseLong(cell) * NANOS_A_MICRO);
          }

          @Override
          public String cell(Duration value) {
            return Long.toString(value.toNanos() / NANOS_A_MICRO);
          }
        };

    Form<Boolean> YES_OR_NO =
        new Form<>() {
          @Override
          public Boolean none() {
            return false;
          }

          @Override
          public Boolean read(String cell) {
            return cell.equals("yes");
          }

          @Override
          public String cell(Boolean value) {
            return value ? "yes" : "no";
          }

          @Override
          public String word(Boolean value) {
            return value ? "1" : "0";
          }
        };

    /** The value in versions without the column. */
    T none();

    T read(String cell);

    /** Returns a value as the listing shows it. */
    default String cell(T value) {
      return value.toString();
    }

    /** Returns a value as the option takes it. */
    default String word(T value) {
      return cell(value);
    }
  }

  static <T> Column<T> of(Parameter<T> parameter, String option, String title, Form<T> form) {
    return new Column<>(parameter, option, title, form, 0);
  }

  Column<T> from(int version) {
    return new Column<>(parameter, option, title, form, version);
  }

  boolean isIn(HypervisorVersion version) {
    return version.atLeast(since / 100, since % 100);
  }

  /** Returns the words that set it; refuses a value that this version does not have. */
  List<String> words(Domain domain, HypervisorVersion version, SchedulerParameters wanted) {
    T value = wanted.get(parameter);
    if (isIn(version)) {
      return List.of(option, form.word(value));
    }
    if (!value.equals(form.none())) {
      throw SettingRanges.refusal(
          domain,
          parameter.key() + " " + parameter.kind().exact(value),
          "needs Xen %d.%d under %s, and this is Xen %s"
              .formatted(since / 100, since % 100, wanted.scheduler().xenName(), version));
    }
    return List.of();
  }

  /** Returns settings with the value in a row. */
  SchedulerParameters read(SchedulerListing.Row row, SchedulerParameters others) {
    String cell = row.cell(title);
    return others.with(parameter, cell.isEmpty() && since > 0 ? form.none() : form.read(cell));
  }

  /** Returns the value as the listing shows it. */
  String cell(SchedulerParameters of) {
    return form.cell(of.get(parameter));
  }
}
