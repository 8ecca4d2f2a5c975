package io.slicewise.load.access;

/**
 * A request that counts, by this machine's clock.
 *
 * @param label the number of its label
 */
public record Seen(
    long startMicros,
    long durationMicros,
    long upstreamMicros,
    int status,
    int label,
    boolean aborted) {
  private static final int FAILED = 500;

  public boolean failed() {
    return status >= FAILED;
  }
}
