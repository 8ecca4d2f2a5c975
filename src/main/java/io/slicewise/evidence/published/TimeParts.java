package io.slicewise.evidence.published;

import io.slicewise.base.units.Phrase;
import io.slicewise.evidence.published.TableRule.RuleResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks the parts of a running time: user, system and waiting for the disk. A difference beyond
 * rounding and the clock tick of the parts is a doubt: a process also waits for networks, locks and
 * a CPU, and several threads may run at once. Where nobody measured waiting, as with time(1),
 * missing time means nothing.
 */
final class TimeParts {
  private static final String WAIT = "iowait";
  private static final List<String> PARTS = List.of("user", "sys", WAIT);

  /** Linux counts a process's time in ticks of 10 ms. */
  private static final double TICK = 0.01;

  private static final double MUCH = 0.02;

  private TimeParts() {}

  /**
   * @param waits whether waiting was measured in any row of the file
   */
  private record Whole(Printed time, List<Printed> parts, Inputs inputs, boolean waits) {
    Span sum() {
      return parts.stream().map(Printed::span).reduce(Span::plus).orElseThrow();
    }

    /**
     * The missing time; negative if there is an excess; zero if rounding may explain the
     * difference.
     */
    double missing() {
      Span left = time.span().minus(sum()).widened(TICK * parts.size());
      return left.low() > 0 ? (waits ? left.low() : 0) : Math.min(0, left.high());
    }

    boolean much() {
      return Math.abs(missing()) > MUCH * time.value();
    }

    /** Whether the parts of another system would fit within 2 %. */
    boolean takes(Span others) {
      return others.widened(MUCH * time.value()).meets(time.span());
    }
  }

  static List<RuleResult> check(PublishedNumbers numbers) {
    List<RuleResult> results = new ArrayList<>();
    for (Printed user : numbers.all()) {
      if (user.metric().equals(PARTS.get(0))) {
        whole(user, numbers)
            .ifPresent(
                whole -> {
                  results.add(sum(whole));
                  other(whole, numbers).ifPresent(other -> results.add(exchanged(whole, other)));
                });
      }
    }
    return results;
  }

  private static Optional<Whole> whole(Printed user, PublishedNumbers numbers) {
    Inputs inputs = new Inputs(user, numbers);
    List<Printed> parts =
        PARTS.stream()
            .flatMap(
                part ->
                    inputs.table().stream()
                        .filter(one -> one.metric().equals(part) && !one.percent())
                        .filter(one -> one.variant().equals(user.variant()))
                        .filter(one -> one.keys().equals(user.keys()))
                        .limit(1))
            .toList();
    return parts.size() < 2
        ? Optional.empty()
        : inputs
            .sameCase(user.variant(), "runtime")
            .map(
                time ->
                    new Whole(
                        time,
                        parts,
                        inputs,
                        numbers.all().stream().anyMatch(one -> one.metric().equals(WAIT))));
  }

  private static RuleResult sum(Whole whole) {
    double missing = whole.missing();
    Printed first = whole.parts().get(0);
    if (missing == 0) {
      return RuleResult.sound(first, TableRule.PARTS);
    }
    double left = whole.time().value() - whole.sum().middle();
    String message =
        Phrase.of(
            "%s: %s = %.2f s, the run took %.2f s: %.2f s %s (%.1f %%)",
            first.subject(),
            String.join(" + ", whole.parts().stream().map(Printed::metric).toList()),
            whole.sum().middle(),
            whole.time().value(),
            Math.abs(left),
            left > 0 ? "are in no part" : "too much",
            100 * Math.abs(left) / whole.time().value());
    String cause =
        left > 0
            ? "the process waited for something that is not among the parts (a network, a lock, a"
                + " CPU); in a guest, others ran: stolen time is not included"
            : "parts and total come from different runs, or more than one thread or process was"
                + " counted";
    return whole.inputs().doubted(TableRule.PARTS, message, cause);
  }

  /** The time of the other system; each pair is checked once. */
  private static Optional<Whole> other(Whole whole, PublishedNumbers numbers) {
    Printed first = whole.parts().get(0);
    return Stream.of("xen")
        .filter(xen -> first.variant().equals("base"))
        .flatMap(xen -> new Inputs(first, numbers).sameCase(xen, first.metric()).stream())
        .flatMap(user -> whole(user, numbers).stream())
        .findFirst();
  }

  private static RuleResult exchanged(Whole base, Whole xen) {
    Printed first = base.parts().get(0);
    boolean better = base.much() && base.takes(xen.sum()) && xen.takes(base.sum());
    if (!better) {
      return RuleResult.sound(first, TableRule.EXCHANGED);
    }
    return base.inputs()
        .broken(
            TableRule.EXCHANGED,
            Phrase.of(
                "%s: parts of %.2f s are printed for %.2f s, and parts of %.2f s for %.2f s (%s);"
                    + " swapped, both fit",
                first.subject(),
                base.sum().middle(),
                base.time().value(),
                xen.sum().middle(),
                xen.time().value(),
                xen.parts().get(0).place().replaceFirst(".*:", "line ")),
            "the numbers of the two systems were swapped in print");
  }
}
