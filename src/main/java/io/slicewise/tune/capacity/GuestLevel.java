package io.slicewise.tune.capacity;

import io.slicewise.stats.capacity.Verdict;
import java.util.Comparator;
import java.util.List;

/**
 * What a number of guests did under a profile.
 *
 * @param guests that were loaded
 * @param trials that count
 * @param tiles each with its interval and verdict; empty without a valid trial
 * @param throughput of all guests, requests per second
 */
public record GuestLevel(int guests, int trials, List<TileResult> tiles, double throughput) {
  public GuestLevel {
    tiles = List.copyOf(tiles);
  }

  /** Returns the tile that is nearest to its limit, or farthest beyond it. */
  public TileResult worst() {
    return tiles.stream().max(Comparator.comparingDouble(TileResult::strain)).orElseThrow();
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
