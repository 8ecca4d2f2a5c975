package io.slicewise.cli.options;

import io.slicewise.sweep.SweepOptions;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Options that {@code run}, {@code resume} and {@code restore} share. */
public final class RunOptions {
  @Option(
      names = "--take-lock",
      description = "Take the host's lock from whoever holds it. Sure that nobody runs there?")
  private boolean takeLock;

  @Option(
      names = "--host-patience",
      paramLabel = "MINUTES",
      defaultValue = "10",
      description = "How long to wait for a host out of reach (default: ${DEFAULT-VALUE}).")
  private int patienceMinutes;

  @Option(
      names = "--adopt",
      description = "Make this copy of a run directory the run; only when the original is gone.")
  private boolean adopt;

  public SweepOptions sweep() {
    return sweep(false);
  }

  public SweepOptions sweep(boolean trustDamaged) {
    return new SweepOptions(takeLock, Duration.ofMinutes(patienceMinutes), adopt, trustDamaged);
  }
}
