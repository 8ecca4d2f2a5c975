package io.slicewise.host.groups;

import io.slicewise.host.Accounts;
import io.slicewise.host.CgroupVersion;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.HypervisorKind;
import io.slicewise.host.HypervisorKind.GuestWatcher;
import io.slicewise.host.HypervisorKind.SettingCommands;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.groups.GroupAccounts.Account;
import io.slicewise.host.groups.GroupAccounts.TaskTimes;
import io.slicewise.host.groups.Inventory.Guest;
import io.slicewise.observe.Observation.Reading;
import io.slicewise.profile.Fair;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** A Linux host whose guests are control groups; only where an experiment asks for it. */
public final class Groups implements HypervisorKind {
  static final String TOOLSTACK = "cgroup";
  static final String SCHEDULER = "fair";

  /** Creates the kind; for the service loader. */
  public Groups() {}

  @Override
  public String product() {
    return "groups";
  }

  @Override
  public List<String> toolstacks() {
    return List.of(TOOLSTACK);
  }

  @Override
  public boolean onRequest() {
    return true;
  }

  @Override
  public String poolWord() {
    return "control group";
  }

  @Override
  public Accounts accounts(RemoteShell shell, boolean sudo, List<Domain> domains) {
    return new GroupShares.Counted(GroupAccounts.of(shell, domains));
  }

  @Override
  public List<String> monitors() {
    return List.of("cpuacct");
  }

  @Override
  public Optional<GuestWatcher> watcher(
      RemoteShell shell, HostDescription host, List<Domain> domains) {
    return Optional.of(GroupChanges.of(shell, domains));
  }

  @Override
  public SettingCommands commands(String toolstack, HypervisorVersion version, boolean sudo) {
    return new NamedGroups(CgroupVersion.statedIn(version), sudo);
  }

  @Override
  public HypervisorVersion usualVersion(String toolstack) {
    return CgroupVersion.V2.stateIn(HypervisorVersion.of(6, 1), "");
  }

  @Override
  public Hypervisor probe(RemoteShell shell, boolean sudo, Optional<String> toolstack) {
    CommandResult mounts = shell.run(Trees.READING);
    if (!mounts.succeeded()) {
      throw HypervisorException.absent(
          "%s has no /proc/mounts.".formatted(shell.address()), "Is this a Linux host?");
    }
    return new GroupsHost(
        this,
        new Inventory(shell, Trees.of(shell.address(), mounts.standardOutput())),
        sudo,
        false);
  }

  /**
   * The commands that set a group by its name, for people to read: where the group is and which
   * life it has, only its host knows. Commands that are run name the directory and its inode.
   */
  private record NamedGroups(CgroupVersion version, boolean sudo) implements SettingCommands {
    @Override
    public List<Command> set(String domain, SchedulerParameters wanted) {
      if (wanted.scheduler() != Scheduler.FAIR) {
        throw new HypervisorException(
            "Control groups have no settings for the %s scheduler."
                .formatted(wanted.scheduler().xenName()),
            "Use a profile for the fair scheduler.");
      }
      Limits.check(version, domain, wanted);
      Writes writes = new Writes(version);
      List<Writes.Write> all = new ArrayList<>();
      if (wanted.get(Fair.IDLE)) {
        all.add(new Writes.Write(Writes.IDLE, "1"));
      } else {
        all.add(writes.weight(wanted));
      }
      all.addAll(writes.limit(wanted, false));
      List<Command> commands = new ArrayList<>();
      commands.add(in(version == CgroupVersion.V1 ? "/cpu" : "", domain, all));
      if (!Fair.leavesCpus(wanted)) {
        commands.add(
            in(version == CgroupVersion.V1 ? "/cpuset" : "", domain, List.of(Writes.cpus(wanted))));
      }
      return List.copyOf(commands);
    }

    private Command in(String tree, String domain, List<Writes.Write> writes) {
      String where = Changing.quoted("*/" + domain);
      String script =
          "cd \"$(find /sys/fs/cgroup%s/ -type d -path %s)\" && %s"
              .formatted(tree, where, Changing.text(writes));
      return Changing.command(sudo, Command.Effect.CHANGES, script);
    }
  }

  /**
   * Shares of control groups between two readings of their accounts, of the pCPUs that they may
   * use.
   *
   * <p>Run is the group's own account, which also has the tasks that ended meanwhile. The kernel
   * has no account of the time in which a group as a whole waited, only of each task. With W tasks
   * waiting on average, W pCPUs more at most would have been used, and no more than were not: wait
   * is the smaller one of both, an upper bound that is exact for a group whose tasks always want to
   * run and for one with a single task. Tasks that wait for others of their group do not make it
   * wait: on one pCPU whose time is counted exactly, it is no more than what others took of it and
   * its own quota held back.
   */
  record GroupShares(GroupAccounts.Reading before, GroupAccounts.Reading after) {
    static final String TASKS_RUN = "tasks_run";
    static final String PRESSURE_SOME = "pressure_some";
    static final String PRESSURE_FULL = "pressure_full";

    private static final double NANOS = 1e9;

    /** Accounts grow in steps of a tick while a task runs. */
    private static final double TICK_SECONDS = 0.01;

    /** The accounts of these guests' groups. */
    record Counted(GroupAccounts groups) implements Accounts {
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
      double throttled = (to.throttled() - from.throttled()) / NANOS / seconds / cpus;
      Others others = Others.of(domain.name(), before, after);
      double wait =
          Math.min(Math.min(Math.max(0, 1 - run), waiting / cpus), others.mostWait(to, throttled));
      if (!others.partly().isEmpty()) {
        notes.add(
            "%s may run on other pCPUs, too: what they ran here is in outside run"
                .formatted(String.join(", ", others.partly())));
      }
      List<Reading> readings = new ArrayList<>();
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

    /**
     * Who else ran on a guest's pCPUs between two readings, as shares of the time of all of them.
     *
     * @param guests that ran at least {@link #LEAST} of it, by their names, those that ran most
     *     first
     * @param all of the known guests together, however little each ran
     * @param outside tasks of no guest, and what guests of {@code partly} ran; empty if the host's
     *     use of its pCPUs was not read
     * @param partly guests of which it is not known how much of their time they ran here
     */
    private record Others(
        List<Reading> guests, double all, Optional<Double> outside, List<String> partly) {
      /** Less is not listed. */
      private static final double LEAST = 0.001;

      private static final double NANOS = 1e9;

      /** Returns the others of a guest that is in both readings. */
      static Others of(String guest, GroupAccounts.Reading before, GroupAccounts.Reading after) {
        Account own = after.guests().get(guest);
        BitSet pcpus = own.pcpus().own();
        double time = pcpus.cardinality() * (after.seconds() - before.seconds()) * NANOS;
        List<Reading> guests = new ArrayList<>();
        List<String> partly = new ArrayList<>();
        double all = 0;
        for (Map.Entry<String, Account> other : before.guests().entrySet()) {
          Optional<Long> used =
              Optional.ofNullable(after.guests().get(other.getKey()))
                  .flatMap(account -> account.usedOn(pcpus, other.getValue()));
          if (other.getKey().equals(guest)) {
            continue;
          } else if (used.isEmpty()) {
            partly.add(other.getKey());
            continue;
          }
          all += used.get() / time;
          guests.add(Reading.share(other.getKey(), used.get() / time));
        }
        double known = all + own.usedOn(pcpus, before.guests().get(guest)).orElse(0L) / time;
        return new Others(
            guests.stream()
                .filter(ran -> ran.value() >= LEAST)
                .sorted(Comparator.comparingDouble(Reading::value).reversed())
                .toList(),
            all,
            after.usedOn(pcpus, before).map(used -> Math.max(0, used / time - known)),
            partly);
      }

      /**
       * Returns the most that the guest can have waited; 1 if that is not known: it has several
       * pCPUs, another quota, or a kernel that counts what others ran in ticks.
       */
      double mostWait(Account own, double throttled) {
        return own.pcpus().own().cardinality() > 1 || own.pcpus().used().isEmpty() || own.bounded()
            ? 1
            : outside.map(share -> all + share + throttled).orElse(1.0);
      }

      /** Returns the measures of a guest that has these others. */
      Stream<Reading> readings() {
        return Stream.concat(
            Stream.of(Reading.share(Accounts.OTHERS_RUN, all)),
            outside.stream().map(share -> Reading.share(Accounts.OUTSIDE_RUN, share)));
      }
    }
  }

  /**
   * What others do to guests' groups within a window, by a look at every second: settings that
   * change, also those that are changed back, and processes that are moved into a group or out of
   * one. A process that a group's own processes start was moved nowhere.
   */
  record GroupChanges(List<String> directories, Map<String, String> names) implements GuestWatcher {
    /** Prints a line for each change, with tabs, and one for each look. */
    private static final String PROGRAM =
        """
        function line(file, text) {
          text = ""
          if ((getline text < file) <= 0) text = ""
          close(file)
          return text
        }
        function alive(pid, text, fields) {
          text = line("/proc/" pid "/stat")
          sub(/^.*\\) /, "", text)
          split(text, fields, " ")
          began = fields[20] / 100
          return fields[1] != "" && fields[1] !~ /[ZXx]/
        }
        function group(pid, file, text, fields, found) {
          file = "/proc/" pid "/cgroup"
          found = "/"
          while ((getline text < file) > 0) {
            split(text, fields, ":")
            if ("," fields[2] "," ~ /,cpu,/ || (fields[1] == 0 && found == "/")) found = fields[3]
          }
          close(file)
          return found
        }
        function changed(kind, place, what, more) {
          print kind "\\t" place "\\t" what "\\t" more
        }
        BEGIN {
          files = split("%s", file, " ")
          for (trees = 1; trees < ARGC && ARGV[trees] != "--"; trees++) {
            quoted = ARGV[trees]
            gsub(/\\047/, "\\047\\\\\\047\\047", quoted)
            listing = listing " \\047" quoted "\\047"
          }
          listing = "find" listing " -name cgroup.procs 2>/dev/null"
          for (look = 1; ; look++) {
            split(line("/proc/uptime"), uptime, " ")
            split("", now)
            while ((listing | getline list) > 0) {
              owner = ""
              for (i = 1; i < trees; i++)
                if (index(list, ARGV[i] "/") == 1 && length(ARGV[i]) > length(owner)) owner = ARGV[i]
              while ((getline pid < list) > 0) now[pid] = owner
              close(list)
            }
            close(listing)
            if (look > 1) {
              for (pid in before)
                if (now[pid] != before[pid] && alive(pid) && began < last)
                  changed("out", before[pid], pid, group(pid))
              for (pid in now)
                if (now[pid] != "" && now[pid] != before[pid] && alive(pid) && began < last - 1)
                  changed("in", now[pid], pid, "")
            }
            for (i = 1; i < ARGC; i++)
              for (j = 1; j <= files; j++) {
                value = line(ARGV[i] "/" file[j])
                if (look > 1 && value != "" && value != old[i, j])
                  changed("set", ARGV[i], file[j], old[i, j] "\\t" value)
                if (value != "") old[i, j] = value
              }
            split("", before)
            for (pid in now) if (now[pid] != "") before[pid] = now[pid]
            last = uptime[1]
            print "look"
            fflush()
            system("sleep 1")
          }
        }
        """
            .formatted(String.join(" ", Snapshot.SETTINGS));

    /** Finds the groups of these guests. */
    static GroupChanges of(RemoteShell shell, List<Domain> domains) {
      Trees trees = Trees.of(shell.address(), shell.run(Trees.READING).standardOutput());
      Map<String, Guest> listed = new Inventory(shell, trees).read().guests();
      List<String> directories = new ArrayList<>();
      List<String> cpusets = new ArrayList<>();
      Map<String, String> names = new LinkedHashMap<>();
      for (Domain domain : domains) {
        Optional.ofNullable(listed.get(domain.name()))
            .filter(guest -> domain.isSame(guest.domain()))
            .ifPresent(
                guest -> {
                  directories.add(trees.cpu() + guest.path());
                  trees
                      .cpuset()
                      .filter(tree -> !tree.equals(trees.cpu()) && !guest.cpuset().isEmpty())
                      .ifPresent(tree -> cpusets.add(tree + guest.path()));
                  trees.roots().forEach(tree -> names.put(tree + guest.path(), guest.name()));
                });
      }
      directories.add("--");
      directories.addAll(cpusets);
      return new GroupChanges(directories, names);
    }

    @Override
    public String name() {
      return "awk";
    }

    @Override
    public List<String> words() {
      List<String> words = new ArrayList<>(List.of("awk", PROGRAM));
      words.addAll(directories);
      return words;
    }

    @Override
    public Map<String, String> changes(String printed, List<Domain> domains) {
      Map<String, Map<String, String>> values = new LinkedHashMap<>();
      Map<String, Map<String, Integer>> moves = new LinkedHashMap<>();
      for (String line : printed.lines().toList()) {
        String[] fields = line.split("\t", -1);
        String name = fields.length < 4 ? null : names.get(fields[1]);
        if (name == null) {
          continue;
        }
        switch (fields[0]) {
          case "set" ->
              values
                  .computeIfAbsent(name, any -> new TreeMap<>())
                  .merge(
                      fields[2],
                      "%s, then %s".formatted(fields[3], fields[4]),
                      (before, next) -> before + ", then " + fields[4]);
          case "out" ->
              moves
                  .computeIfAbsent(name, any -> new TreeMap<>())
                  .merge("moved to " + fields[3], 1, Integer::sum);
          default ->
              moves
                  .computeIfAbsent(name, any -> new TreeMap<>())
                  .merge("moved into it", 1, Integer::sum);
        }
      }
      Map<String, String> clauses = new LinkedHashMap<>();
      names.values().stream()
          .distinct()
          .forEach(
              name -> {
                List<String> clause = new ArrayList<>();
                values
                    .getOrDefault(name, Map.of())
                    .forEach((file, seen) -> clause.add("%s was %s".formatted(file, seen)));
                moves
                    .getOrDefault(name, Map.of())
                    .forEach(
                        (where, count) ->
                            clause.add(
                                count == 1
                                    ? "a process was " + where
                                    : "%d processes were %s".formatted(count, where)));
                if (!clause.isEmpty()) {
                  clauses.put(name, String.join(", ", clause));
                }
              });
      return clauses;
    }
  }
}
