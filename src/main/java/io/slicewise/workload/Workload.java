package io.slicewise.workload;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What loads the guests. Set-up and tear-down run before and after every trial and may be repeated
 * safely; they throw {@link io.slicewise.units.SlicewiseException} with their reason.
 */
public interface Workload {
  /** The name in the experiment file: {@code web-app}, {@code observe}, … */
  String name();

  /** The JMeter plan; empty when nothing is loaded ({@code observe}). */
  Optional<Path> plan();

  /** JMeter properties for the plan, resolved from the experiment. */
  Map<String, String> properties();

  /** Prepares what the plan needs. */
  void setUp();

  /** Whether the target answers, in words; empty when all is well. Changes nothing. */
  Optional<String> complaint();

  /** Removes what {@link #setUp} made, and only that. */
  void tearDown();
}
