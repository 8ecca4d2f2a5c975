package io.slicewise.cli.options;

import io.slicewise.sweep.guard.SweepOptions;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Options that {@code run}, {@code resume} and {@code restore} share. */
public final class RunOptions {
  @Option(
      names = "--take-lock",
      description = "Take over the host's lock. Use it only if no other run is using the host.")
  private boolean takeLock;

  @Option(
      names = "--host-patience",
      paramLabel = "MINUTES",
      defaultValue = "10",
      description = "How long to wait for an unreachable host (default: ${DEFAULT-VALUE}).")
  private int patienceMinutes;

  @Option(
      names = "--adopt",
      description = "Use this copy of a run directory as the run. Only if the original is gone.")
  private boolean adopt;

  public SweepOptions sweep() {
    return sweep(false, false);
  }

  public SweepOptions sweep(boolean trustDamaged, boolean force) {
    return new SweepOptions(
        takeLock, Duration.ofMinutes(patienceMinutes), adopt, trustDamaged, force, Duration.ZERO);
  }
}
