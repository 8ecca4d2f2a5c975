package io.slicewise.lab.guest;

import io.slicewise.lab.disk.DiskRequest;
import io.slicewise.lab.disk.DiskRequest.Kind;
import io.slicewise.lab.disk.PageCache;
import io.slicewise.lab.guest.GuestHost.Work;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * The pages that the exchanges of one connection to a database use. The first use of a page by a
 * connection is a page fault, and a page that its guest does not have in memory is read.
 */
final class DiskUse {
  private static final int EXCHANGES_A_COMMIT = 7;

  /** CPU time of a query for each page that it scans. */
  private static final long SCAN_NANOS = 20_000;

  /** The most that one request reads, as Linux does. */
  private static final int PAGES_A_REQUEST = 16;

  private final String guest;
  private final PageCache cache;
  private final BitSet touched = new BitSet(PageCache.PAGES);
  private int exchanges;

  DiskUse(String guest, PageCache cache) {
    this.guest = guest;
    this.cache = cache;
  }

  /**
   * Returns the work of the next exchange of short transactions. It uses a random page; every
   * seventh exchange is a commit, which writes a page and flushes the disk.
   *
   * @param nanos its CPU time, without its page faults
   */
  List<Work> transaction(long nanos, ServiceTimes random) {
    List<Work> works = new ArrayList<>();
    works.addAll(pages(nanos, random.below(PageCache.PAGES), 1, random));
    if (++exchanges % EXCHANGES_A_COMMIT == 0) {
      works.add(request(Kind.WRITE, 1));
      works.add(request(Kind.FLUSH, 0));
    }
    return works;
  }

  /** Returns work that uses no page. */
  Work computing(long nanos) {
    return new Work(guest, nanos);
  }

  /**
   * Returns the work of a query, which scans the more pages the longer it computes.
   *
   * @param nanos its CPU time, without its page faults
   */
  List<Work> scan(long nanos, ServiceTimes random) {
    return pages(nanos, 0, (int) Math.min(PageCache.PAGES, nanos / SCAN_NANOS), random);
  }

  private List<Work> pages(long nanos, int first, int number, ServiceTimes random) {
    int faults = 0;
    int missing = 0;
    for (int page = first; page < first + number; page++) {
      faults += touched.get(page) ? 0 : 1;
      touched.set(page);
      missing += cache.touch(page, random::below) ? 1 : 0;
    }
    List<Work> works = new ArrayList<>();
    works.add(new Work(guest, nanos, faults, Optional.empty()));
    for (int left = missing; left > 0; left -= PAGES_A_REQUEST) {
      works.add(request(Kind.READ, Math.min(left, PAGES_A_REQUEST)));
    }
    return works;
  }

  private Work request(Kind kind, int pages) {
    return new Work(guest, 0, 0, Optional.of(DiskRequest.blocks(kind, pages)));
  }
}
