package io.slicewise.evidence.published;

import java.util.Optional;

/** A formula for a number of a table. */
interface Formula {
  /**
   * The expected value of the number; empty if the formula does not apply, or if an input is
   * missing, which {@code inputs} then records.
   */
  Optional<Derived> of(Printed number, Inputs inputs);

  /**
   * The expected value of a number.
   *
   * @param how the formula with its numbers, for messages
   * @param cause the likely cause of a wrong one
   */
  record Derived(Span span, String how, String cause) {
    static final String OTHERS =
        "it was computed from other numbers than the printed ones, or mistyped";

    Derived(Span span, String how) {
      this(span, how, OTHERS);
    }
  }
}
