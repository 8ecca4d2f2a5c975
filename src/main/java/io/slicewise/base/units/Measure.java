package io.slicewise.base.units;

/**
 * A number that a workload reports for a trial, with its unit and direction.
 *
 * @param name as in files and options, e.g. {@code fairness}
 * @param unit e.g. {@code s}; empty for a pure number
 * @param moreIsBetter which way is better
 * @param value {@code NaN} when it cannot be computed
 */
public record Measure(String name, String unit, boolean moreIsBetter, double value) {}
