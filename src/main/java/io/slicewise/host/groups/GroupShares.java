package io.slicewise.host.groups;

import io.slicewise.host.Accounts;
import io.slicewise.host.Domain;
import io.slicewise.host.groups.GroupAccounts.Account;
import io.slicewise.host.groups.GroupAccounts.TaskTimes;
import io.slicewise.observe.Reading;
import io.slicewise.ssh.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Shares of control groups between two readings of their accounts, of the pCPUs that they may use.
 *
 * <p>Run is the group's own account, which also has the tasks that ended meanwhile. The kernel has
 * no account of the time in which a group as a whole waited, only of each task. With W tasks
 * waiting on average, W pCPUs more at most would have been used, and no more than were not: wait is
 * the smaller one of both, an upper bound that is exact for a group whose tasks always want to run
 * and for one with a single task. Throttling by its own quota is a part of it.
 */
record GroupShares(GroupAccounts.Reading before, GroupAccounts.Reading after) {
  static final String TASKS_RUN = "tasks_run";
  static final String PRESSURE_SOME = "pressure_some";
  static final String PRESSURE_FULL = "pressure_full";

  private static final double NANOS = 1e9;

  /** Accounts grow in steps of a tick while a task runs. */
  private static final double TICK_SECONDS = 0.01;

  /** The accounts of these guests' groups. */
  record Groups(GroupAccounts groups) implements Accounts {
    @Override
    public Command reading() {
      return groups.reading();
    }

    @Override
    public Optional<Function<Domain, Used>> between(String before, String after) {
      return groups
          .parse(before)
          .flatMap(first -> groups.parse(after).map(last -> new GroupShares(first, last)::of));
    }
  }

  Accounts.Used of(Domain domain) {
    Account from = before.guests().get(domain.name());
    Account to = after.guests().get(domain.name());
    if (from == null) {
      return Accounts.Used.unknown(
          "no account of its CPU time was found (cpuacct.usage or cpu.stat of its group)");
    }
    if (to == null || to.used() < from.used()) {
      return Accounts.Used.unknown("its group was removed or made anew while it was watched");
    }
    double seconds = after.seconds() - before.seconds();
    double cpus = domain.vcpus();
    List<String> notes = new ArrayList<>();
    double run = (to.used() - from.used()) / NANOS / seconds / cpus;
    if (run > 1 && run <= 1 + TICK_SECONDS * 2 / seconds) {
      run = 1;
    }
    TaskTimes used = since(from, to);
    double waiting = used.ready() / NANOS / seconds;
    double wait = Math.min(Math.max(0, 1 - run), waiting / cpus);
    Others others = Others.of(domain.name(), before, after);
    if (!others.partly().isEmpty()) {
      notes.add(
          "%s may run on other pCPUs, too: what they ran here is in outside run"
              .formatted(String.join(", ", others.partly())));
    }
    List<Reading> readings = new ArrayList<>();
    double throttled = (to.throttled() - from.throttled()) / NANOS / seconds / cpus;
    readings.add(Reading.share(Accounts.THROTTLED, Math.min(throttled, wait)));
    readings.add(new Reading(Accounts.TASKS_WAITING, "", waiting));
    readings.add(Reading.share(TASKS_RUN, used.run() / NANOS / seconds / cpus));
    pressure(PRESSURE_SOME, from.some(), to.some(), seconds).ifPresent(readings::add);
    pressure(PRESSURE_FULL, from.full(), to.full(), seconds).ifPresent(readings::add);
    others.readings().forEach(readings::add);
    return new Accounts.Used(run, wait, notes, readings, others.guests());
  }

  private static Optional<Reading> pressure(
      String name, Optional<Long> from, Optional<Long> to, double seconds) {
    return from.flatMap(
        first -> to.map(last -> Reading.share(name, (last - first) / NANOS / seconds)));
  }

  /** Returns the sum over the tasks at the end; one that is new began at zero. */
  private static TaskTimes since(Account from, Account to) {
    long run = 0;
    long ready = 0;
    for (var task : to.tasks().entrySet()) {
      TaskTimes earlier = from.tasks().getOrDefault(task.getKey(), new TaskTimes(0, 0));
      TaskTimes later = task.getValue();
      boolean same = later.run() >= earlier.run() && later.ready() >= earlier.ready();
      run += later.run() - (same ? earlier.run() : 0);
      ready += later.ready() - (same ? earlier.ready() : 0);
    }
    return new TaskTimes(run, ready);
  }
}
