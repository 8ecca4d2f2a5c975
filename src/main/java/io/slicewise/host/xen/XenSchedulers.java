package io.slicewise.host.xen;

import io.slicewise.host.HypervisorVersion;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.Schedulers;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The versions of Xen that have each scheduler, and the versions of its tools that can set it. */
public final class XenSchedulers {
  /**
   * Versions from one (inclusive) to another (exclusive).
   *
   * @param from as major × 100 + minor
   */
  private record Span(int from, int until) {
    boolean contains(HypervisorVersion version) {
      return version.atLeast(from / 100, from % 100) && !version.atLeast(until / 100, until % 100);
    }
  }

  /**
   * One scheduler.
   *
   * @param possible versions in which it can be built in
   * @param builtIn versions in which it is built in by default
   * @param xl versions in which xl has a command for it
   * @param xm versions in which xm has one
   */
  private record Row(Scheduler scheduler, Span possible, Span builtIn, Span xl, Span xm) {}

  private static final Span ALL = new Span(0, Integer.MAX_VALUE);
  private static final Span NONE = new Span(0, 0);

  private static final List<Row> ROWS =
      List.of(
          new Row(Scheduler.CREDIT, ALL, ALL, ALL, ALL),
          new Row(Scheduler.CREDIT2, from(401), from(401), from(402), from(401)),
          new Row(Scheduler.SEDF, before(406), before(406), new Span(402, 406), ALL),
          new Row(Scheduler.RTDS, from(405), new Span(405, 416), from(405), NONE),
          new Row(Scheduler.NULL, from(409), NONE, NONE, NONE));

  private XenSchedulers() {}

  private static Span from(int version) {
    return new Span(version, Integer.MAX_VALUE);
  }

  private static Span before(int version) {
    return new Span(0, version);
  }

  /** Returns the schedulers that this version can be built with. */
  public static Set<Scheduler> possible(HypervisorVersion version) {
    return where(row -> row.possible().contains(version));
  }

  /** Returns the schedulers that this version has by default. */
  public static Set<Scheduler> builtIn(HypervisorVersion version) {
    return where(row -> row.builtIn().contains(version));
  }

  /** Returns the schedulers that {@code xl} of this version can set. */
  static Set<Scheduler> ofXl(HypervisorVersion version) {
    return where(row -> row.xl().contains(version));
  }

  /** Returns the schedulers that {@code xm} of this version can set. */
  static Set<Scheduler> ofXm(HypervisorVersion version) {
    return where(row -> row.xm().contains(version));
  }

  private static Set<Scheduler> where(Predicate<Row> wanted) {
    Set<Scheduler> schedulers = new TreeSet<>(Schedulers.ORDER);
    ROWS.stream().filter(wanted).map(Row::scheduler).forEach(schedulers::add);
    return schedulers;
  }

  /** Returns the default boot scheduler, which the host's command line can override. */
  public static Scheduler bootDefault(HypervisorVersion version) {
    return version.atLeast(4, 12) ? Scheduler.CREDIT2 : Scheduler.CREDIT;
  }
}
