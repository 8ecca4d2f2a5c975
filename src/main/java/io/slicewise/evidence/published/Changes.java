package io.slicewise.evidence.published;

import io.slicewise.evidence.published.Formulas.Formula;
import io.slicewise.evidence.published.Formulas.Formula.Derived;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Formulas that compare two sides: slowdowns, drops, interference. */
final class Changes {
  private static final String SLOWDOWN = "slowdown";
  private static final String DROP = "drop";
  private static final String CONTROL = "dom0";
  private static final String GUEST = "dom1";
  private static final String WAIT = "avgrdwait";

  /** Matches the names of cases without interference. */
  private static final Pattern ALONE =
      Pattern.compile("(.*\\W)?\\(?(baseline|alone|only|single)\\)?", Pattern.CASE_INSENSITIVE);

  private static final Pattern TOGETHER =
      Pattern.compile("(.*\\W)?(interference|multiple)", Pattern.CASE_INSENSITIVE);

  /** Matches a domain, which a table may use to name the guest that runs alone. */
  private static final Pattern DOMAIN =
      Pattern.compile("(dom|vm|guest)[\\w-]*", Pattern.CASE_INSENSITIVE);

  private Changes() {}

  /**
   * Whether a number is for the guest alone, and not for one of several cases such as a database's
   * size.
   */
  static boolean isAlone(Printed number) {
    return aloneOf(number.experiment()).filter(String::isEmpty).isPresent();
  }

  /**
   * The cases whose reference an experiment without interference is: the start of their names,
   * empty for all cases; nothing if the experiment has interference.
   */
  static Optional<String> aloneOf(String experiment) {
    Matcher name = ALONE.matcher(experiment);
    if (!name.matches()) {
      return Optional.empty();
    }
    String before =
        name.group(1) == null ? "" : name.group(1).replaceAll("[^\\w-]+$|^[^\\w-]+", "");
    boolean one = before.isEmpty() || DOMAIN.matcher(before).matches();
    return Optional.of(one ? "" : before);
  }

  static List<Formula> formulas() {
    return List.of(
        Changes::slowdown,
        Changes::drop,
        // The guest cannot have more reads than the control domain in total.
        Formula.named(
            "interference_rps",
            (number, inputs) ->
                lessThan(
                    number,
                    inputs.sameCase(GUEST, "reads_per_s"),
                    inputs.sameCase(CONTROL, "reads_per_s"))),
        // A read takes longer in the control domain than without interference.
        Formula.named(
            "interference_arw",
            (number, inputs) ->
                lessThan(
                    number,
                    inputs.other(
                        CONTROL, WAIT, ALONE, "", "of " + CONTROL + " without interference"),
                    inputs.sameCase(CONTROL, WAIT))),
        // A read takes longer in the guest than in the control domain.
        Formula.named(
            "overhead_io",
            (number, inputs) ->
                change(number, inputs.sameCase(GUEST, WAIT), inputs.sameCase(CONTROL, WAIT))));
  }

  /**
   * {@code a-b}: a − b, or in percent 100·(a / b − 1), of the metric that it names, else of the
   * running time or the only time of its table.
   */
  private static Optional<Derived> slowdown(Printed number, Inputs inputs) {
    String[] sides = number.variant().split("-", 2);
    if (!number.metric().endsWith(SLOWDOWN) || sides.length < 2) {
      return Optional.empty();
    }
    String of =
        number
            .metric()
            .substring(0, number.metric().length() - SLOWDOWN.length())
            .replaceFirst("^(rel|abs)_", "")
            .replaceFirst("_$", "");
    String metric = of.isEmpty() ? "runtime" : of;
    Optional<Derived> named =
        change(number, inputs.sameCase(sides[0], metric), inputs.sameCase(sides[1], metric));
    return named.isPresent() || !of.isEmpty() ? named : ofOwnTime(number, sides, inputs);
  }

  /** The slowdown of the one time that the number's table prints for its case. */
  private static Optional<Derived> ofOwnTime(Printed number, String[] sides, Inputs inputs) {
    List<Printed> times =
        inputs.table().stream()
            .filter(one -> one.keys().equals(number.keys()) && one.isTime())
            .toList();
    List<String> metrics = times.stream().map(Printed::metric).distinct().toList();
    if (metrics.size() != 1) {
      return Optional.empty();
    }
    return change(
        number,
        inputs.sameCase(sides[0], metrics.get(0)),
        inputs.sameCase(sides[1], metrics.get(0)));
  }

  private static Optional<Derived> change(
      Printed number, Optional<Printed> first, Optional<Printed> second) {
    return Derived.both(
        first,
        second,
        (a, b) ->
            number.percent()
                ? new Derived(
                    percent(ratio(number, a, b)), "100 x (" + a.text() + " / " + b.text() + " - 1)")
                : new Derived(a.span().minus(b.span()), a.text() + " - " + b.text()));
  }

  private static Span percent(Span ratio) {
    return ratio.plus(new Span(-1, -1)).times(100);
  }

  /**
   * A quotient of two means. The mean of the quotients of n runs differs from it by at most about
   * v(v + u), where u and v are the coefficients of variation of dividend and divisor.
   */
  private static Span ratio(Printed number, Printed dividend, Printed divisor) {
    Span ratio = dividend.span().over(divisor.span());
    double scatter = divisor.variation() * (divisor.variation() + dividend.variation());
    return number.runs() > 1 && scatter > 0 && Double.isFinite(ratio.middle())
        ? ratio.widened(scatter * Math.abs(ratio.middle()))
        : ratio;
  }

  /** {@code x_drop}, or a case named drop: 100·(1 − with others / alone). */
  private static Optional<Derived> drop(Printed number, Inputs inputs) {
    boolean named = number.metric().endsWith("_" + DROP);
    Optional<String> experiment = Optional.ofNullable(number.keys().get("experiment"));
    if (!named && !experiment.map(DROP::equalsIgnoreCase).orElse(false)) {
      return Optional.empty();
    }
    String metric = named ? number.metric().replaceFirst("_drop$", "") : number.metric();
    String family = named ? experiment.orElse("") : "";
    Optional<Printed> own = named ? inputs.sameCase(number.variant(), metric) : Optional.empty();
    Optional<Printed> loaded =
        own.or(() -> inputs.other(number.variant(), metric, TOGETHER, family, "with interference"));
    String of = own.isPresent() ? "" : family;
    return lessThan(
        number, loaded, inputs.other(number.variant(), metric, ALONE, of, "without interference"));
  }

  private static Optional<Derived> lessThan(
      Printed number, Optional<Printed> less, Optional<Printed> more) {
    return Derived.both(
        less,
        more,
        (a, b) ->
            new Derived(
                percent(ratio(number, a, b)).times(-1),
                "100 x (1 - " + a.text() + " / " + b.text() + ")"));
  }
}
