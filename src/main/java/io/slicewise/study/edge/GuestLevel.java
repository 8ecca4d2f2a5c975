package io.slicewise.study.edge;

import io.slicewise.stats.capacity.EdgeSearch.Verdict;
import io.slicewise.stats.capacity.RequestCost;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
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
 * @param wanted how much CPU time each domain wanted, by its name, as far as that is known
 * @param ratio vCPUs of these guests for each pCPU; {@code NaN} if unknown
 */
public record GuestLevel(
    int guests,
    int trials,
    List<TileResult> tiles,
    double throughput,
    Optional<RequestCost> cost,
    Optional<Use> busiest,
    Map<String, Wanted> wanted,
    double ratio) {
  public GuestLevel {
    tiles = List.copyOf(tiles);
    wanted = Map.copyOf(wanted);
  }

  /** Returns the level of trials that do not count. */
  static GuestLevel unknown(int guests) {
    return new GuestLevel(
        guests, 0, List.of(), Double.NaN, Optional.empty(), Optional.empty(), Map.of(), Double.NaN);
  }

  /**
   * How much a resource worked.
   *
   * @param resource as a phrase
   * @param part of its time, 0 to 1
   */
  public record Use(String resource, double part) {}

  /**
   * How much CPU time a domain wanted.
   *
   * @param run the part of its vCPUs' time, 0 to 1, in which they ran
   * @param held that in which they were ready, and waited for a pCPU or were held back by a cap
   */
  public record Wanted(double run, double held) {}

  /** Returns whether no trial counts, or none that does has the metric of some tile. */
  public boolean isUnknown() {
    return tiles.isEmpty() || tiles.stream().anyMatch(tile -> tile.estimate().n() == 0);
  }

  /**
   * Returns whether more repetitions change nothing: it is decided, or its windows have too few
   * requests for the metric of some tile.
   */
  boolean isFinal() {
    return verdict() != Verdict.UNDECIDED || (!tiles.isEmpty() && isUnknown());
  }

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
