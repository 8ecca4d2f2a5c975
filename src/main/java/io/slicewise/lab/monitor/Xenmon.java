package io.slicewise.lab.monitor;

import io.slicewise.lab.host.Hypercalls;
import io.slicewise.lab.monitor.Xenbaked.Taken;
import io.slicewise.lab.shell.DiskFullException;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * {@code xenmon -n -p PREFIX -t SECONDS -i MILLISECONDS}: starts xenbaked, waits a second, and then
 * writes T + 1 passes of rows, one a pCPU and domain. The stamp of a pass's first pCPU is one
 * interval old, and the first pass is diluted, as in the original. The live view is refused.
 */
public final class Xenmon implements Program {
  private static final long START_DELAY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** xenbaked prints a line at every switch from 4.8 on; so many a pass stand for all of them. */
  private static final int NOISE = 20;

  private final Tracing tracing;
  private final Hypercalls hypercalls;
  private final HostFiles files;
  private final boolean shifted;
  private final AtomicBoolean truncates;

  /**
   * A xenmon.
   *
   * @param shifted whether this version's columns have slipped (4.8 on)
   * @param truncates whether the log files lose their second half in the end
   */
  public Xenmon(
      Tracing tracing,
      Hypercalls hypercalls,
      HostFiles files,
      boolean shifted,
      AtomicBoolean truncates) {
    this.tracing = tracing;
    this.hypercalls = hypercalls;
    this.files = files;
    this.shifted = shifted;
    this.truncates = truncates;
  }

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    Getopt options =
        Getopt.parse(
            invocation.arguments(),
            "np:t:i:h",
            "notlive=n prefix=p: time=t: interval=i: ms_per_sample=m: cpu=c: help=h");
    if (options.has('h')) {
      invocation.print("%s", usage());
      return 0;
    }
    Optional<String> unknown = options.last('?');
    if (unknown.isPresent() || !options.operands().isEmpty()) {
      invocation.complain(
          "%s\nxenmon.py: error: no such option: %s\n", usage(), unknown.orElse(""));
      return 2;
    }
    if (!options.has('n')) {
      invocation.complain("_curses.error: setupterm: could not find terminal\n");
      return 1;
    }
    return log(invocation, options);
  }

  private static String usage() {
    return """
    Usage: xenmon.py [options]

    Options:
      -h, --help            show this help message and exit
      -n, --notlive         write logs instead of showing them
      -p PREFIX, --prefix=PREFIX
      -t DURATION, --time=DURATION
      -i INTERVAL, --interval=INTERVAL
      --ms_per_sample=MSPERSAMPLE
      --cpu=CPU
    """;
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
      invocation.print("Quitting.\n"); // as the original does with every error while logging
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
        return; // somebody else's xenbaked has killed ours
      }
      Taken taken = tracing.driver().ask(machine -> baked.take(machine.now()));
      // The first sample's elapsed time counts from the start of the trace: twice what it holds.
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
}
