package io.slicewise.evidence.published;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Parts of a running time: user, system and waiting for the disk. What is left out or too much by
 * more than 2 % of the time cannot be; by less, beyond rounding and the clock tick that the parts
 * are counted in, the time is in doubt.
 */
final class TimeParts {
  private static final List<String> PARTS = List.of("user", "sys", "iowait");

  /** Linux counts a process's time in ticks of 10 ms. */
  private static final double TICK = 0.01;

  private static final double MUCH = 0.02;

  private TimeParts() {}

  /** A time and what it is made of. */
  private record Whole(Printed time, List<Printed> parts, Inputs inputs) {
    Span sum() {
      return parts.stream().map(Printed::span).reduce(Span::plus).orElseThrow();
    }

    /** What is missing; negative when there is too much. Zero when rounding may explain it. */
    double missing() {
      Span left = time.span().minus(sum()).widened(TICK * parts.size());
      return left.low() > 0 ? left.low() : Math.min(0, left.high());
    }

    boolean much() {
      return Math.abs(missing()) > MUCH * time.value();
    }

    /** Whether the parts, of another system, would fit within 2 %. */
    boolean takes(Span others) {
      return others.widened(MUCH * time.value()).meets(time.span());
    }
  }

  static List<Held> held(PublishedNumbers numbers) {
    List<Held> held = new ArrayList<>();
    for (Printed user : numbers.all()) {
      if (user.metric().equals(PARTS.get(0))) {
        whole(user, numbers)
            .ifPresent(
                whole -> {
                  held.add(sum(whole));
                  other(whole, numbers).ifPresent(other -> held.add(exchanged(whole, other)));
                });
      }
    }
    return held;
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
        : inputs.beside(user.variant(), "runtime").map(time -> new Whole(time, parts, inputs));
  }

  private static Held sum(Whole whole) {
    double missing = whole.missing();
    Printed first = whole.parts().get(0);
    if (missing == 0) {
      return Held.sound(first, TableRule.PARTS);
    }
    double left = whole.time().value() - whole.sum().middle();
    String message =
        String.format(
            Locale.ROOT,
            "%s: %s = %.2f s, the run took %.2f s: %.2f s %s (%.1f %%)",
            first.subject(),
            String.join(" + ", whole.parts().stream().map(Printed::metric).toList()),
            whole.sum().middle(),
            whole.time().value(),
            Math.abs(left),
            left > 0 ? "stand in none" : "too much",
            100 * Math.abs(left) / whole.time().value());
    String cause =
        left > 0
            ? "the process waited for something that is not among the parts; in a guest, others"
                + " ran: stolen time is in none of them"
            : "parts and total come from different runs, or more than the one process was counted";
    return whole.much()
        ? whole.inputs().broken(TableRule.PARTS, message, cause)
        : whole.inputs().doubted(TableRule.PARTS, message, cause);
  }

  /** The other system's, asked about once a pair. */
  private static Optional<Whole> other(Whole whole, PublishedNumbers numbers) {
    Printed first = whole.parts().get(0);
    return Stream.of("xen")
        .filter(xen -> first.variant().equals("base"))
        .flatMap(xen -> new Inputs(first, numbers).beside(xen, first.metric()).stream())
        .flatMap(user -> whole(user, numbers).stream())
        .findFirst();
  }

  private static Held exchanged(Whole base, Whole xen) {
    Printed first = base.parts().get(0);
    boolean better = base.much() && base.takes(xen.sum()) && xen.takes(base.sum());
    if (!better) {
      return Held.sound(first, TableRule.EXCHANGED);
    }
    return base.inputs()
        .broken(
            TableRule.EXCHANGED,
            String.format(
                Locale.ROOT,
                "%s: parts of %.2f s stand at %.2f s, and of %.2f s at %.2f s (%s); exchanged, both"
                    + " fit",
                first.subject(),
                base.sum().middle(),
                base.time().value(),
                xen.sum().middle(),
                xen.time().value(),
                xen.parts().get(0).place().replaceFirst(".*:", "line ")),
            "the two systems' numbers were mixed up in print");
  }
}
