package io.slicewise.host.xen;

import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.xen.Column.Form;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Rtds;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.Schedulers;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The versions of Xen that have each scheduler, the versions of its tools that can set it, and how
 * xl does. What sEDF takes depends on its own values, so that its words are in the dialects.
 */
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
   * @param columns of xl's listing
   * @param vcpus versions in which each vCPU has settings of its own
   */
  private record Row(
      Scheduler scheduler,
      Span possible,
      Span builtIn,
      Span xl,
      Span xm,
      List<Column<?>> columns,
      Span vcpus) {
    Row(Scheduler scheduler, Span possible, Span builtIn, Span xl, Span xm, Column<?>... columns) {
      this(scheduler, possible, builtIn, xl, xm, List.of(columns), NONE);
    }
  }

  private static final Span ALL = new Span(0, Integer.MAX_VALUE);
  private static final Span NONE = new Span(0, 0);

  private static final Column<Integer> WEIGHT =
      Column.of(Credit.WEIGHT, "-w", "Weight", Form.NUMBER);
  private static final Column<Integer> CAP = Column.of(Credit.CAP, "-c", "Cap", Form.NUMBER);

  private static final List<Row> ROWS =
      List.of(
          new Row(Scheduler.CREDIT, ALL, ALL, ALL, ALL, WEIGHT, CAP),
          new Row(
              Scheduler.CREDIT2, from(401), from(401), from(402), from(401), WEIGHT, CAP.from(410)),
          new Row(Scheduler.SEDF, before(406), before(406), new Span(402, 406), ALL),
          new Row(
              Scheduler.RTDS,
              from(405),
              new Span(405, 416),
              from(405),
              NONE,
              List.of(
                  Column.of(Rtds.PERIOD, "-p", "Period", Form.MICROS),
                  Column.of(Rtds.BUDGET, "-b", "Budget", Form.MICROS),
                  Column.of(Rtds.EXTRATIME, "-e", "Extratime", Form.YES_OR_NO).from(410)),
              from(407)),
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

  /** Returns the columns of xl's listing; none for a scheduler that xl cannot set, and for sEDF. */
  static List<Column<?>> columns(Scheduler scheduler) {
    return row(scheduler).map(Row::columns).orElse(List.of());
  }

  /** Returns whether each vCPU has settings of its own under this scheduler in some version. */
  static boolean isByVcpu(Scheduler scheduler) {
    return row(scheduler).filter(row -> !row.vcpus().equals(NONE)).isPresent();
  }

  /** Returns whether each vCPU has settings of its own under this scheduler in this version. */
  static boolean isByVcpu(Scheduler scheduler, HypervisorVersion version) {
    return row(scheduler).filter(row -> row.vcpus().contains(version)).isPresent();
  }

  private static Optional<Row> row(Scheduler scheduler) {
    return ROWS.stream().filter(row -> row.scheduler() == scheduler).findFirst();
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
