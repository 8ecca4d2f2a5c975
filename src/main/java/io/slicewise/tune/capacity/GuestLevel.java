package io.slicewise.tune.capacity;

import io.slicewise.stats.capacity.RequestCost;
import io.slicewise.stats.capacity.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a number of guests did under a profile.
 *
 * @param guests that were loaded
 * @param trials that count
 * @param tiles each with its interval and verdict; empty without a valid trial
 * @param throughput of all guests, requests per second
 * @param cost of a request with that many guests; empty if the CPU times are not known
 * @param busiest the resource that worked the largest part of its time; empty if unknown
 * @param ratio vCPUs of these guests for each pCPU; {@code NaN} if unknown
 */
public record GuestLevel(
    int guests,
    int trials,
    List<TileResult> tiles,
    double throughput,
    Optional<RequestCost> cost,
    Optional<Use> busiest,
    double ratio) {
  public GuestLevel {
    tiles = List.copyOf(tiles);
  }

  /**
   * How much a resource worked.
   *
   * @param resource as a phrase
   * @param part of its time, 0 to 1
   */
  public record Use(String resource, double part) {}

  /**
   * Returns the tile that decides: of those beyond their limits, else of those that are not
   * decided, else of all, the one nearest to its limit or farthest beyond it.
   */
  public TileResult worst() {
    Verdict verdict = verdict();
    return tiles.stream()
        .filter(tile -> tile.verdict() == verdict)
        .max(Comparator.comparingDouble(TileResult::strain))
        .orElseThrow();
  }

  /** Returns the verdict: the worst tile decides. */
  public Verdict verdict() {
    if (tiles.isEmpty()) {
      return Verdict.UNDECIDED;
    }
    if (tiles.stream().anyMatch(tile -> tile.verdict() == Verdict.BREAKS)) {
      return Verdict.BREAKS;
    }
    return tiles.stream().allMatch(tile -> tile.verdict() == Verdict.FITS)
        ? Verdict.FITS
        : Verdict.UNDECIDED;
  }
}
