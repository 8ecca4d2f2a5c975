package io.slicewise.lab.disk;

import java.util.BitSet;
import java.util.function.IntUnaryOperator;

/**
 * Which pages of its database a guest has in memory. A page that is not there is read, and takes
 * the place of a random one if there is no other.
 */
public final class PageCache {
  private final int pages;
  private final BitSet cached;
  private final int[] places;
  private int used;

  /**
   * Creates a cache that is full.
   *
   * @param pages of the database
   * @param workingSet size of the database, in memories of the guest
   */
  public PageCache(int pages, double workingSet) {
    this.pages = pages;
    cached = new BitSet(pages);
    places = new int[(int) Math.max(1, Math.min(pages, Math.round(pages / workingSet)))];
    for (int page = 0; page < places.length; page++) {
      add(page, page);
    }
    used = places.length;
  }

  /** Returns the number of the database's pages. */
  public int pages() {
    return pages;
  }

  /** Forgets every page. */
  public synchronized void drop() {
    cached.clear();
    used = 0;
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
    if (used < places.length) {
      add(used++, page);
      return true;
    }
    int place = below.applyAsInt(places.length);
    cached.clear(places[place]);
    add(place, page);
    return true;
  }

  private void add(int place, int page) {
    places[place] = page;
    cached.set(page);
  }
}
