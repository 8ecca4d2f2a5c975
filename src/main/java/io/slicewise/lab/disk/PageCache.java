package io.slicewise.lab.disk;

import java.util.BitSet;
import java.util.function.IntUnaryOperator;

/**
 * Which pages of its database a guest has in memory. A page that is not there is read, and takes
 * the place of a random one.
 */
public final class PageCache {
  /** Pages of a database. */
  public static final int PAGES = 1024;

  private final BitSet cached = new BitSet(PAGES);
  private final int[] places;

  /**
   * Creates a cache that is full.
   *
   * @param workingSet size of the database, in memories of the guest
   */
  public PageCache(double workingSet) {
    places = new int[(int) Math.max(1, Math.min(PAGES, Math.round(PAGES / workingSet)))];
    for (int page = 0; page < places.length; page++) {
      places[page] = page;
      cached.set(page);
    }
  }

  /**
   * Uses a page; returns whether it had to be read.
   *
   * @param below draws a whole number from 0 to below a bound
   */
  public synchronized boolean touch(int page, IntUnaryOperator below) {
    if (cached.get(page)) {
      return false;
    }
    int place = below.applyAsInt(places.length);
    cached.clear(places[place]);
    cached.set(page);
    places[place] = page;
    return true;
  }
}
