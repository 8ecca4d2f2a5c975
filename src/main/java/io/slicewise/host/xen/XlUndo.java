package io.slicewise.host.xen;

import io.slicewise.host.Domain;
import io.slicewise.host.Target;
import io.slicewise.host.Undo;
import io.slicewise.host.Undo.Change;
import io.slicewise.host.Undo.Part;
import io.slicewise.host.Undo.Reading;
import io.slicewise.host.Undo.Value;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.Pinning;
import io.slicewise.profile.Placement;
import io.slicewise.profile.PoolWide;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Scope;
import io.slicewise.ssh.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The undo of a setting with {@code xl}. A domain is named by its domid, which no other domain gets
 * before the host reboots. Weight and cap are restored one by one, what RTDS gives a vCPU together.
 * {@code xm} and sEDF, whose listings round, have none.
 */
record XlUndo(Tool tool, Dialect dialect, Readings readings, XlSplit split) {
  private static final long NANOS_A_MICRO = 1_000;

  /** The end of a row that no other number may follow. */
  private static final String END = " *$";

  Optional<Undo> of(Target target, Change change) {
    if (!dialect.name().equals("xl")) {
      return Optional.empty();
    }
    if (target instanceof Target.Place place) {
      return Optional.of(of(place, change));
    }
    if (target instanceof Target.Pool pool && pool.of() == Scope.SPLIT) {
      return Optional.of(split.undo(pool, change));
    }
    return target instanceof Domain domain
        ? parts(domain, change).map(parts -> new Undo(domain.name(), present(domain), parts))
        : Optional.of(of((Target.Pool) target, change));
  }

  /** Restores a pool's parameters together, because each limits what the other can be. */
  private Undo of(Target.Pool pool, Change change) {
    boolean credit = change.found().scheduler() == Scheduler.CREDIT_POOL;
    List<Value> values = new ArrayList<>();
    if (credit) {
      values.add(value("tslice=", "ms", change, of -> of.get(PoolWide.TIMESLICE).toMillis()));
    }
    values.add(value("ratelimit=", "us", change, of -> micros(of.get(PoolWide.RATELIMIT))));
    if (credit && dialect.version().atLeast(4, 11)) {
      values.add(
          value("migration-delay=", "us", change, of -> micros(of.get(PoolWide.MIGRATION_DELAY))));
    }
    List<String> listing =
        List.of(credit ? "sched-credit" : "sched-credit2", "-s", "-p", pool.pool());
    Command set = tool.changing(dialect.setPool(pool, change.found()));
    return new Undo(
        pool.name(),
        new Reading(tool.reading(List.of("cpupool-list", pool.pool())), List.of(" y ")),
        List.of(new Part("pool", List.of(set), tool.reading(listing), values)));
  }

  private Undo of(Target.Place place, Change change) {
    List<Part> parts = new ArrayList<>();
    if (change.parameters().contains(Placement.VCPUS.key())
        && !change.found().leftAsFound().contains(Placement.VCPUS.key())) {
      parts.add(online(place.domain(), change));
    }
    if (change.parameters().contains(Placement.AFFINITY.key())
        || change.parameters().contains(Placement.SOFT_AFFINITY.key())) {
      parts.add(affinities(place.domain(), change));
    }
    return new Undo(place.name(), present(place.domain()), parts);
  }

  /** A guest takes its vCPUs offline one by one, so all numbers between are on the way. */
  private Part online(Domain domain, Change change) {
    String id = Integer.toString(domain.id());
    int found = change.found().get(Placement.VCPUS);
    IntSummaryStatistics all =
        Stream.concat(Stream.of(change.found()), change.possible().stream())
            .mapToInt(settings -> settings.get(Placement.VCPUS))
            .filter(vcpus -> !Placement.VCPUS.kind().isAsFound(vcpus))
            .summaryStatistics();
    Set<String> known =
        IntStream.rangeClosed(all.getMin(), all.getMax())
            .mapToObj(Integer::toString)
            .collect(Collectors.toSet());
    return new Part(
        Placement.VCPUS.key(),
        List.of(tool.changing(List.of(Xl.VCPU_SET, id, Integer.toString(found)))),
        tool.reading(List.of("list", id)),
        List.of(
            new Value(start(domain) + "[0-9]+ +", Integer.toString(found), known, " +[-a-z]+ .*")));
  }

  /** Restores both affinities of all vCPUs together. */
  private Part affinities(Domain domain, Change change) {
    String id = Integer.toString(domain.id());
    SchedulerParameters found = change.found().with(Placement.VCPUS, 0);
    int vcpus = Math.max(Placement.listed(found), domain.vcpus());
    List<Value> values = new ArrayList<>();
    for (int vcpu = 0; vcpu < vcpus; vcpu++) {
      int number = vcpu;
      values.add(
          new Value(
              start(domain) + vcpu + " +([0-9]+|-) +[-a-z]+ +[0-9.]+ +",
              affinities(found, found, number),
              change.texts(settings -> affinities(settings, found, number)),
              END));
    }
    return new Part(
        "placement",
        dialect.setPlace(id, found).stream().map(tool::changing).toList(),
        tool.reading(List.of("vcpu-list", id)),
        values);
  }

  /** Returns the affinities of a vCPU as xl prints them. */
  private String affinities(SchedulerParameters settings, SchedulerParameters found, int vcpu) {
    return affinity(Placement.AFFINITY, settings, found, vcpu)
        + " / "
        + affinity(Placement.SOFT_AFFINITY, settings, found, vcpu);
  }

  private String affinity(
      Parameter<String> of, SchedulerParameters settings, SchedulerParameters found, int vcpu) {
    String value = settings.get(of).isEmpty() ? found.get(of) : settings.get(of);
    List<String> each = Pinning.each(readings.printed(value), vcpu + 1);
    return each.get(Math.min(vcpu, each.size() - 1));
  }

  private static Value value(
      String before, String unit, Change change, ToLongFunction<SchedulerParameters> number) {
    return new Value(
        before,
        Long.toString(number.applyAsLong(change.found())),
        change.texts(of -> Long.toString(number.applyAsLong(of))),
        unit);
  }

  private Reading present(Domain domain) {
    String id = Integer.toString(domain.id());
    return new Reading(tool.reading(List.of("list", id)), List.of(start(domain)));
  }

  private Optional<List<Part>> parts(Domain domain, Change change) {
    Scheduler scheduler = change.found().scheduler();
    List<Column<?>> columns =
        XenSchedulers.columns(scheduler).stream()
            .filter(column -> column.isIn(dialect.version()))
            .toList();
    if (columns.isEmpty()) {
      return Optional.empty();
    }
    if (!XenSchedulers.isByVcpu(scheduler)) {
      return Optional.of(oneByOne(domain, change, columns));
    }
    return XenSchedulers.isByVcpu(scheduler, dialect.version())
        ? Optional.of(List.of(ofVcpus(domain, change, columns)))
        : Optional.empty();
  }

  private List<Part> oneByOne(Domain domain, Change change, List<Column<?>> columns) {
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      Column<?> column = columns.get(i);
      if (change.parameters().contains(column.parameter().key())) {
        List<String> listing = listing(domain, change);
        String before = start(domain) + "[0-9]+ +".repeat(i);
        String after = " +[0-9]+".repeat(columns.size() - 1 - i);
        List<String> words = new ArrayList<>(listing);
        words.addAll(column.words(domain, dialect.version(), change.found()));
        parts.add(
            new Part(
                column.parameter().key(),
                List.of(tool.changing(words)),
                tool.reading(listing),
                List.of(
                    new Value(
                        before,
                        column.cell(change.found()),
                        change.texts(column::cell),
                        after + END))));
      }
    }
    return parts;
  }

  private List<String> listing(Domain domain, Change change) {
    List<String> words = new ArrayList<>(dialect.listParameters(change.found().scheduler()));
    words.addAll(List.of("-d", Integer.toString(domain.id())));
    return List.copyOf(words);
  }

  /** Restores what each vCPU has together. */
  private Part ofVcpus(Domain domain, Change change, List<Column<?>> columns) {
    SchedulerParameters found = change.found();
    String id = Integer.toString(domain.id());
    List<SchedulerParameters> each =
        found.isByVcpu()
            ? found.each()
            : Stream.generate(() -> found).limit(domain.vcpus()).toList();
    List<Value> values = new ArrayList<>();
    for (int vcpu = 0; vcpu < each.size(); vcpu++) {
      Set<String> known =
          new Change(each.get(vcpu), change.parameters(), change.possible())
              .texts(one -> row(one, columns));
      values.add(new Value(start(domain) + vcpu + " +", row(each.get(vcpu), columns), known, END));
    }
    return new Part(
        found.scheduler().xenName(),
        dialect.set(domain, id, found).stream().map(tool::changing).toList(),
        tool.reading(listing(domain, change)),
        values);
  }

  private static String row(SchedulerParameters one, List<Column<?>> columns) {
    return columns.stream().map(column -> column.cell(one)).collect(Collectors.joining(" +"));
  }

  private static long micros(Duration time) {
    return time.toNanos() / NANOS_A_MICRO;
  }

  /** Returns a regular expression for the domid in a row, up to the next cell. */
  private static String start(Domain domain) {
    return " " + domain.id() + " +";
  }
}
