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
 * The pages that the exchanges of one connection to a database use. Each exchange uses one; the
 * first use of a page by a connection is a page fault, and a page that its guest does not have in
 * memory is read. Every seventh exchange is a commit, which writes a page and flushes the disk.
 */
final class DiskUse {
  private static final int EXCHANGES_A_COMMIT = 7;
  private static final long FAULT_NANOS = 2_000;

  private final String guest;
  private final PageCache cache;
  private final BitSet touched = new BitSet(PageCache.PAGES);
  private int exchanges;

  DiskUse(String guest, PageCache cache) {
    this.guest = guest;
    this.cache = cache;
  }

  /** Returns what the next exchange costs the guest beside that CPU time. */
  List<Work> works(long nanos, ServiceTimes random) {
    int page = random.below(PageCache.PAGES);
    int faults = touched.get(page) ? 0 : 1;
    touched.set(page);
    List<Work> works = new ArrayList<>();
    works.add(
        new Work(
            guest,
            nanos + faults * FAULT_NANOS,
            faults,
            cache.touch(page, random::below)
                ? Optional.of(DiskRequest.page(Kind.READ))
                : Optional.empty()));
    if (++exchanges % EXCHANGES_A_COMMIT == 0) {
      works.add(new Work(guest, 0, 0, Optional.of(DiskRequest.page(Kind.WRITE))));
      works.add(new Work(guest, 0, 0, Optional.of(DiskRequest.page(Kind.FLUSH))));
    }
    return works;
  }
}
