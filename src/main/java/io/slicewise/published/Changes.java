package io.slicewise.published;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Formulas that set one side beside another: slowdowns, drops, interference. */
final class Changes {
  private static final String SLOWDOWN = "slowdown";
  private static final String DROP = "drop";
  private static final String CONTROL = "dom0";
  private static final String GUEST = "dom1";

  /** How a case without interference ends its name. */
  private static final Pattern ALONE =
      Pattern.compile("(.*\\W)?\\(?(baseline|alone|only|single)\\)?", Pattern.CASE_INSENSITIVE);

  private static final Pattern TOGETHER =
      Pattern.compile("(.*\\W)?(interference|multiple)", Pattern.CASE_INSENSITIVE);

  private Changes() {}

  static List<Formula> formulas() {
    return List.of(
        Changes::slowdown,
        Changes::drop,
        Changes::fewerReads,
        Changes::longerWait,
        Changes::overhead);
  }

  /** {@code a-b}: a − b, or in percent 100·(a / b − 1). */
  private static Optional<Formula.Derived> slowdown(Printed number, Numbers numbers) {
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
    return both(
        numbers.beside(number, sides[0], metric),
        numbers.beside(number, sides[1], metric),
        number.percent());
  }

  private static Optional<Formula.Derived> both(
      Optional<Printed> first, Optional<Printed> second, boolean percent) {
    return first.flatMap(
        a ->
            second.map(
                b ->
                    percent
                        ? new Formula.Derived(
                            a.span().moreThan(b.span()),
                            "100 x (" + a.text() + " / " + b.text() + " - 1)")
                        : new Formula.Derived(
                            a.span().minus(b.span()), a.text() + " - " + b.text())));
  }

  /** {@code x_drop}, or a case named drop: 100·(1 − with others / alone). */
  private static Optional<Formula.Derived> drop(Printed number, Numbers numbers) {
    boolean named = number.metric().endsWith("_" + DROP);
    Optional<String> experiment = Optional.ofNullable(number.keys().get("experiment"));
    if (!named && !experiment.map(DROP::equalsIgnoreCase).orElse(false)) {
      return Optional.empty();
    }
    String metric = named ? number.metric().replaceFirst("_drop$", "") : number.metric();
    String family = named ? experiment.orElse("") : "";
    Optional<Printed> own =
        named ? numbers.beside(number, number.variant(), metric) : Optional.empty();
    Optional<Printed> loaded =
        own.or(() -> other(number, numbers, number.variant(), metric, TOGETHER, family));
    String of = own.isPresent() ? "" : family;
    return lessThan(loaded, other(number, numbers, number.variant(), metric, ALONE, of));
  }

  /** Fewer reads reach the disk for the guest than the control domain makes in all. */
  private static Optional<Formula.Derived> fewerReads(Printed number, Numbers numbers) {
    if (!number.metric().equals("interference_rps")) {
      return Optional.empty();
    }
    return lessThan(
        numbers.beside(number, GUEST, "reads_per_s"),
        numbers.beside(number, CONTROL, "reads_per_s"));
  }

  /** A read takes longer in the control domain than it did without interference. */
  private static Optional<Formula.Derived> longerWait(Printed number, Numbers numbers) {
    if (!number.metric().equals("interference_arw")) {
      return Optional.empty();
    }
    return lessThan(
        other(number, numbers, CONTROL, "avgrdwait", ALONE, ""),
        numbers.beside(number, CONTROL, "avgrdwait"));
  }

  /** A read takes longer in the guest than in the control domain. */
  private static Optional<Formula.Derived> overhead(Printed number, Numbers numbers) {
    if (!number.metric().equals("overhead_io")) {
      return Optional.empty();
    }
    return both(
        numbers.beside(number, GUEST, "avgrdwait"),
        numbers.beside(number, CONTROL, "avgrdwait"),
        true);
  }

  private static Optional<Formula.Derived> lessThan(
      Optional<Printed> less, Optional<Printed> more) {
    return less.flatMap(
        a ->
            more.map(
                b ->
                    new Formula.Derived(
                        a.span().moreThan(b.span()).times(-1),
                        "100 x (1 - " + a.text() + " / " + b.text() + ")")));
  }

  /** The number of the experiment of a family that is named like this, if it is the only one. */
  private static Optional<Printed> other(
      Printed number, Numbers numbers, String variant, String metric, Pattern name, String family) {
    Map<String, String> keys = new LinkedHashMap<>(number.keys());
    List<Printed> found =
        numbers.all().stream()
            .filter(one -> one.table().file().equals(number.table().file()))
            .map(one -> one.keys().getOrDefault("experiment", ""))
            .distinct()
            .filter(experiment -> experiment.startsWith(family))
            .filter(experiment -> name.matcher(experiment).matches())
            .flatMap(
                experiment -> {
                  keys.put("experiment", experiment);
                  return numbers.find(number, keys, variant, metric).stream();
                })
            .toList();
    return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
  }
}
