package io.slicewise.lab.monitor;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.host.Hypercalls;
import io.slicewise.lab.monitor.TracedDomain.PairUse;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.HostFiles.DiskFullException;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import io.slicewise.lab.sim.Machine;
import io.slicewise.lab.sim.Machine.DomainView;
import io.slicewise.lab.sim.Machine.VcpuView;
import io.slicewise.lab.sim.Runstate;
import io.slicewise.lab.sim.Runstate.RunstateListener;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * {@code xenmon -n -p PREFIX -t SECONDS -i MILLISECONDS}: starts xenbaked, waits a second, and then
 * writes T + 1 passes with one row per pCPU and domain. As in the original, the timestamp of the
 * first pCPU in a pass is one interval old, and the rates of the first pass are too low. The live
 * view is not supported.
 *
 * @param name the name in this version: {@code xenmon.py} up to 4.11, then {@code xenmon}
 * @param shifted whether this version's columns are shifted (from 4.8 on)
 * @param truncates whether the log files lose their second half at the end
 */
public record Xenmon(
    String name,
    Tracing tracing,
    Hypercalls hypercalls,
    HostFiles files,
    boolean shifted,
    AtomicBoolean truncates)
    implements Program {
  private static final long START_DELAY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The number of lines per pass that represent xenbaked's line at every switch (from 4.8 on). */
  private static final int NOISE = 20;

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    Getopt options =
        Getopt.parse(
            invocation.arguments(),
            "lnp:t:i:h",
            "live=l notlive=n prefix=p: time=t: interval=i: ms_per_sample=m: cpu=c: help=h"
                + " allocated=v noallocated=v blocked=v noblocked=v waited=v nowaited=v"
                + " excount=v noexcount=v iocount=v noiocount=v");
    if (options.has('h')) {
      invocation.print("%s", usage());
      return 0;
    }
    Optional<String> unknown = options.last('?');
    if (unknown.isPresent()) {
      return refused(invocation, "no such option: " + dashed(unknown.get()));
    }
    if (!options.operands().isEmpty()) {
      return refused(invocation, "No parameter required");
    }
    if (!written(options)) {
      invocation.complain("_curses.error: setupterm: could not find terminal\n");
      return 1;
    }
    return log(invocation, options);
  }

  private int refused(Invocation invocation, String why) throws IOException {
    invocation.complain("Usage: %s [options]\n\n%s: error: %s\n", name, name, why);
    return 2;
  }

  private static String dashed(String option) {
    return option.startsWith("-") ? option : "-" + option;
  }

  /** Returns whether log files are written. The last of the two options counts. */
  private static boolean written(Getopt options) {
    return options.options().stream()
        .map(Getopt.Option::letter)
        .filter(letter -> letter == 'l' || letter == 'n')
        .reduce('l', (earlier, later) -> later)
        .equals('n');
  }

  private String usage() {
    return """
    Usage: xenmon [options]

    Options:
      -h, --help            show this help message and exit
    """
        .replace("Usage: xenmon ", "Usage: " + name + " ");
  }

  private int log(Invocation invocation, Getopt options) throws IOException, InterruptedException {
    int seconds = options.last('t').map(Getopt::strtol).orElse(10);
    int interval = Math.max(1, options.last('i').map(Getopt::strtol).orElse(1000));
    String prefix = options.last('p').orElse("log");
    Xenbaked baked = tracing.start(machine -> new Xenbaked(machine, hypercalls.pcpus()));
    XenmonLogFiles logs = new XenmonLogFiles(files, prefix);
    try {
      TimeUnit.NANOSECONDS.sleep(START_DELAY_NANOS);
      passes(invocation, baked, logs, seconds, interval);
    } catch (DiskFullException swallowed) {
      invocation.print("Quitting.\n"); // as the original does on every error while logging
    } finally {
      tracing.stop(baked);
      if (truncates.getAndSet(false)) {
        logs.truncate();
      }
    }
    return 0;
  }

  private void passes(
      Invocation invocation, Xenbaked baked, XenmonLogFiles logs, int seconds, int interval)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    double passed = 0;
    for (long pass = 0; seconds == 0 || pass * interval <= seconds * 1000L; pass++) {
      long due = start + TimeUnit.MILLISECONDS.toNanos(pass * interval);
      TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
      if (!tracing.has(baked)) {
        return; // someone else's xenbaked has killed this one
      }
      Xenbaked.Taken taken = tracing.driver().ask(machine -> baked.take(machine.now()));
      // The first sample's elapsed time counts from the start of the trace, twice its actual span.
      long elapsed = taken.elapsedNanos() * (pass == 0 ? 2 : 1);
      for (int pcpu = 0; pcpu < hypercalls.pcpus(); pcpu++) {
        rows(logs, taken.uses(), pcpu, elapsed, passed);
        passed = (System.nanoTime() - start) / 1e6;
      }
      noise(invocation, taken.uses());
    }
  }

  private void rows(XenmonLogFiles logs, List<PairUse> uses, int pcpu, long elapsed, double passed)
      throws IOException {
    List<PairUse> here =
        uses.stream()
            .filter(use -> use.pcpu() == pcpu)
            .sorted(Comparator.comparingInt(PairUse::domid))
            .toList();
    for (PairUse use : here) {
      XenmonLogRow row = new XenmonLogRow(use, elapsed, shifted);
      if (row.written()) {
        logs.append(use.domid(), row.text(passed));
      }
    }
  }

  private void noise(Invocation invocation, List<PairUse> uses) throws IOException {
    long switches = uses.stream().mapToLong(PairUse::dispatches).sum();
    for (int i = 0; shifted && i < Math.min(NOISE, switches); i++) {
      invocation.print("gotten==0 in qos_switchout(domid=%d)\n", i % 4);
    }
  }

  /** The log files of one xenmon. Each file is created with its first row. */
  private static final class XenmonLogFiles {
    private final HostFiles files;
    private final String prefix;
    private final Set<Integer> begun = new TreeSet<>();

    XenmonLogFiles(HostFiles files, String prefix) {
      this.files = files;
      this.prefix = prefix;
    }

    void append(int domid, String row) throws IOException {
      boolean first = begun.add(domid);
      files.append(name(domid), first ? XenmonLogRow.HEADER + row : row);
    }

    private String name(int domid) {
      return prefix + (domid == Xenbaked.IDLE ? "-idle.log" : "-dom" + domid + ".log");
    }

    /** Cuts every file in half, usually in the middle of a row. */
    void truncate() throws IOException {
      for (int domid : begun) {
        try (FileChannel file =
            FileChannel.open(files.locate(name(domid)), StandardOpenOption.WRITE)) {
          file.truncate(file.size() / 2);
        }
      }
    }
  }

  /**
   * One row of a xenmon log. Amounts become rates per second. Up to 4.7 the wait is in its own
   * column. From 4.8 on it is shifted into {@code allocated/ex}, and the wait column contains the
   * vCPU numbers.
   */
  private record XenmonLogRow(PairUse use, long elapsedNanos, boolean shifted) {
    static final String HEADER =
        "# passed cpu dom cpu(tot) cpu(%) cpu/ex allocated/ex blocked(tot) blocked(%) blocked/io"
            + " waited(tot) waited(%) waited/ex ex/s io(tot) io/ex\n";

    /** Credit's time slice, allocated at every dispatch. */
    private static final double GRANTED_NANOS = 30e6;

    String text(double passedMillis) {
      double run = perSecond(use.run());
      double blocked = perSecond(use.blocked());
      double shown = shifted ? perSecond(use.vcpuIds()) : perSecond(use.waited());
      return Phrase.of(
          "%.3f %d %d %.3f %.3f %.3f %.3f %.3f %.3f %.3f %.3f %.3f %.3f %.3f %.3f %.3f\n",
          passedMillis,
          use.pcpu(),
          use.domid(),
          run,
          percent(run),
          perDispatch(use.run()),
          shifted ? perDispatch(use.waited()) : use.dispatches() > 0 ? GRANTED_NANOS : 0,
          blocked,
          percent(blocked),
          0.0,
          shown,
          percent(shown),
          shifted ? perDispatch(use.vcpuIds()) : perDispatch(use.waited()),
          perSecond(use.dispatches()),
          0.0,
          0.0);
    }

    /** Returns whether a row is written. xenmon omits domains that used none of the pCPU's time. */
    boolean written() {
      return percent(perSecond(use.run())) > 0;
    }

    private double perSecond(long amount) {
      return amount * 1e9 / elapsedNanos;
    }

    private static double percent(double nanosPerSecond) {
      return nanosPerSecond / 1e7;
    }

    private double perDispatch(long amount) {
      return use.dispatches() == 0 ? 0 : (double) amount / use.dispatches();
    }
  }

  /**
   * xenbaked's accounting: one state for each pair of pCPU and domain, changed only by events on
   * that pCPU. Used on the machine's thread only.
   *
   * <p>Blocked time therefore overlaps with waiting time. A wake-up is recorded on the pCPU of the
   * waker, and the sleeper's pCPU remains blocked in these records until the vCPU runs again. On a
   * machine with one pCPU, waker and sleeper share one record and the three times add up. Waiting
   * time comes from the switch record and is always correct.
   */
  private static final class Xenbaked implements RunstateListener {
    /** The domain number that xenmon gives to the idle domain. */
    static final int IDLE = -1;

    private final boolean onePcpu;
    private final Map<Long, Books> books = new HashMap<>();
    private final Map<Long, Long> runnableSince = new HashMap<>();
    private long lastLook;

    /** Starts accounting with the vCPUs that run or wait now. */
    Xenbaked(Machine machine, int pcpus) {
      onePcpu = pcpus == 1;
      lastLook = machine.now();
      for (int pcpu = 0; pcpu < pcpus; pcpu++) {
        pair(pcpu, IDLE, machine.now()).state = Runstate.RUNNING;
      }
      for (DomainView domain : machine.domains()) {
        for (VcpuView vcpu : machine.vcpus(domain.domid())) {
          open(vcpu, machine.now());
        }
      }
    }

    private void open(VcpuView vcpu, long now) {
      if (vcpu.state() == Runstate.RUNNING) {
        pair(vcpu.pcpu(), vcpu.domid(), now).state = Runstate.RUNNING;
        pair(vcpu.pcpu(), IDLE, now).state = Runstate.BLOCKED;
      } else if (vcpu.state() == Runstate.RUNNABLE) {
        runnableSince.put(key(vcpu.domid(), vcpu.vcpu()), now);
      }
    }

    @Override
    public void changed(
        long nanos, int domid, int vcpu, int pcpu, Runstate from, Runstate to, Cause cause) {
      Books pair = pair(pcpu, domid, nanos);
      long vcpuKey = key(domid, vcpu);
      if (from == Runstate.RUNNING) {
        pair.turn(to, nanos);
        pair(pcpu, IDLE, nanos).dispatch(nanos, 0);
      }
      if (to == Runstate.RUNNABLE) {
        runnableSince.put(vcpuKey, nanos);
        if (onePcpu) {
          pair.turn(Runstate.RUNNABLE, nanos);
        }
      } else if (to == Runstate.RUNNING) {
        pair(pcpu, IDLE, nanos).leave(nanos);
        pair.waited += nanos - runnableSince.getOrDefault(vcpuKey, nanos);
        pair.dispatch(nanos, vcpu);
      }
    }

    private Books pair(int pcpu, int domid, long nanos) {
      return books.computeIfAbsent(key(pcpu, domid), key -> new Books(pcpu, domid, nanos));
    }

    private static long key(int high, int low) {
      return ((long) high << 32) | (low & 0xffffffffL);
    }

    /**
     * The activity of every pair since the last reading, in no particular order.
     *
     * @param elapsedNanos time since the last reading, at least 1
     */
    record Taken(long elapsedNanos, List<PairUse> uses) {}

    Taken take(long nanos) {
      List<PairUse> uses = new ArrayList<>();
      books.values().forEach(pair -> uses.add(pair.taken(nanos)));
      Taken taken = new Taken(Math.max(1, nanos - lastLook), uses);
      lastLook = nanos;
      return taken;
    }

    private static final class Books {
      private final int pcpu;
      private final int domid;
      private Runstate state = Runstate.BLOCKED;
      private long since;
      private long run;
      private long blocked;
      private long waited;
      private long dispatches;
      private long vcpuIds;

      Books(int pcpu, int domid, long since) {
        this.pcpu = pcpu;
        this.domid = domid;
        this.since = since;
      }

      void dispatch(long nanos, int vcpu) {
        turn(Runstate.RUNNING, nanos);
        dispatches++;
        vcpuIds += vcpu;
      }

      /** Ends idle time. An idle period of zero length is not counted. */
      void leave(long nanos) {
        if (state == Runstate.RUNNING && since == nanos && dispatches > 0) {
          dispatches--;
        }
        turn(Runstate.RUNNABLE, nanos);
      }

      void turn(Runstate next, long nanos) {
        long passed = nanos - since;
        run += state == Runstate.RUNNING ? passed : 0;
        blocked += state == Runstate.BLOCKED && domid != IDLE ? passed : 0;
        state = next;
        since = nanos;
      }

      PairUse taken(long nanos) {
        turn(state, nanos);
        PairUse use = new PairUse(pcpu, domid, run, blocked, waited, dispatches, vcpuIds);
        run = 0;
        blocked = 0;
        waited = 0;
        dispatches = 0;
        vcpuIds = 0;
        return use;
      }
    }
  }
}
