package io.slicewise.sweep;

/** How late a simulated host does what its schedulers have decided; a real one is never late. */
public interface HostLateness {
  /** That of a real host. */
  HostLateness NONE =
      new HostLateness() {
        @Override
        public void beginWindow() {
          // There is nothing to measure.
        }

        @Override
        public double p99Millis() {
          return Double.NaN;
        }
      };

  /** Forgets what was measured before. */
  void beginWindow();

  /** The 99th percentile since the window began; {@code NaN} when nothing is known. */
  double p99Millis();
}
