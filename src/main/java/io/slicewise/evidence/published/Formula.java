package io.slicewise.evidence.published;

import java.util.Optional;

/** How a number of a table is made of others. */
interface Formula {
  /**
   * What the number has to be; empty if it is not made by this formula, or if an input is missing,
   * which {@code inputs} then says.
   */
  Optional<Derived> of(Printed number, Inputs inputs);

  /**
   * What a number has to be.
   *
   * @param how the formula with its numbers, for messages
   * @param cause what lies behind a wrong one
   */
  record Derived(Span span, String how, String cause) {
    static final String OTHERS =
        "it was computed from other numbers than the printed ones, or mistyped";

    Derived(Span span, String how) {
      this(span, how, OTHERS);
    }
  }
}
