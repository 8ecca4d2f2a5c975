package io.slicewise.lab.guest;

import io.slicewise.lab.disk.DiskRequest;
import io.slicewise.lab.disk.DiskRequest.Kind;
import io.slicewise.lab.disk.PageCache;
import io.slicewise.lab.guest.GuestHost.Work;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The pages that the exchanges of one connection to a database use. The first use of a page by a
 * connection is a page fault, and a page that its guest does not have in memory is read.
 */
final class DiskUse {
  private static final int EXCHANGES_A_COMMIT = 7;

  /** The messages of PostgreSQL's protocol that carry SQL: a query, and one to be prepared. */
  private static final Pattern SQL = Pattern.compile("[QP]\\x00.*", Pattern.DOTALL);

  private static final Pattern TABLES =
      Pattern.compile("\\b(lineitem|orders|customer|part|partsupp|supplier|nation|region)\\b");

  /** CPU time of a query for each page that it scans. */
  private static final long SCAN_NANOS = 2_000;

  /** Pages that one request reads and one fault maps in a scan, as Linux reads and maps ahead. */
  private static final int PAGES_AHEAD = 16;

  private final String guest;
  private final PageCache cache;
  private final BitSet touched;
  private int exchanges;
  private boolean scans;

  DiskUse(String guest, PageCache cache) {
    this.guest = guest;
    this.cache = cache;
    touched = new BitSet(cache.pages());
  }

  /**
   * Returns the work of the next exchange of short transactions. It uses a random page; every
   * seventh exchange is a commit, which writes a page and flushes the disk.
   *
   * @param nanos its CPU time, without its page faults
   */
  List<Work> transaction(long nanos, ServiceTimes random) {
    List<Work> works = pages(nanos, random.below(cache.pages()), 1, random);
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
   * Returns the work of the next exchange of queries. A query of TPC-H's tables scans the more
   * pages the longer it computes; signing in and questions about statistics use none.
   *
   * @param nanos its CPU time, without its page faults
   * @param request what the client sent; without SQL it is the query of before
   */
  List<Work> query(long nanos, String request, ServiceTimes random) {
    if (SQL.matcher(request).matches()) {
      scans = TABLES.matcher(request).find();
    }
    return scans
        ? pages(nanos, 0, (int) Math.min(cache.pages(), nanos / SCAN_NANOS), random)
        : List.of(computing(nanos));
  }

  private List<Work> pages(long nanos, int first, int number, ServiceTimes random) {
    int untouched = 0;
    int missing = 0;
    for (int page = first; page < first + number; page++) {
      untouched += touched.get(page) ? 0 : 1;
      touched.set(page);
      missing += cache.touch(page, random::below) ? 1 : 0;
    }
    int faults = (untouched + PAGES_AHEAD - 1) / PAGES_AHEAD;
    List<Work> works = new ArrayList<>();
    works.add(new Work(guest, nanos, faults, Optional.empty()));
    for (int left = missing; left > 0; left -= PAGES_AHEAD) {
      works.add(request(Kind.READ, Math.min(left, PAGES_AHEAD)));
    }
    return works;
  }

  private Work request(Kind kind, int pages) {
    return new Work(guest, 0, 0, Optional.of(DiskRequest.blocks(kind, pages)));
  }
}
