package io.slicewise.lab.monitor;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.monitor.Tracing.TraceRecord;
import io.slicewise.lab.sim.Runstate;
import io.slicewise.lab.sim.Runstate.RunstateListener.Cause;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The trace of one domain. A state counts when it ends, so a vCPU's states before its first record
 * and at the end of the trace are unknown.
 */
final class TracedDomain {
  private final int domid;
  private final double cyclesPerNano;
  private final Map<Integer, TracedVcpu> vcpus = new TreeMap<>();
  private final Map<String, StateTimes> together = new LinkedHashMap<>();
  private String jointState = "";
  private long jointSince;

  TracedDomain(int domid, double cyclesPerNano) {
    this.domid = domid;
    this.cyclesPerNano = cyclesPerNano;
    for (String name :
        new String[] {
          "blocked",
          "partial run",
          "full run",
          "partial contention",
          "concurrency_hazard",
          "full_contention"
        }) {
      together.put(name, new StateTimes());
    }
  }

  private final class TracedVcpu {
    private final Map<Runstate, StateTimes> times = new EnumMap<>(Runstate.class);
    private final Map<Cause, StateTimes> waits = new EnumMap<>(Cause.class);
    private Runstate state;
    private Cause cause;
    private long since;

    TracedVcpu(TraceRecord first) {
      enter(first);
      for (Runstate runstate : Runstate.values()) {
        times.put(runstate, new StateTimes());
      }
      for (Cause why : Cause.values()) {
        waits.put(why, new StateTimes());
      }
    }

    void change(TraceRecord record) {
      long cycles = Math.round((record.nanos() - since) * cyclesPerNano);
      times.get(state).add(cycles);
      if (state == Runstate.RUNNABLE) {
        waits.get(cause).add(cycles);
      }
      enter(record);
    }

    private void enter(TraceRecord record) {
      state = record.to();
      cause = record.cause();
      since = record.nanos();
    }

    String text(double hertz) {
      return times.get(Runstate.RUNNING).line("   running", hertz)
          + times.get(Runstate.RUNNABLE).line("  runnable", hertz)
          + waits.get(Cause.WAKE).line("        wake", hertz)
          + waits.get(Cause.PREEMPT).line("     preempt", hertz)
          + waits.get(Cause.NONE).line("       other", hertz)
          + times.get(Runstate.BLOCKED).line("   blocked", hertz)
          + times.get(Runstate.OFFLINE).line("   offline", hertz);
    }
  }

  void add(TraceRecord record) {
    TracedVcpu known = vcpus.get(record.vcpu());
    if (known == null) {
      vcpus.put(record.vcpu(), new TracedVcpu(record));
    } else {
      known.change(record);
    }
    String now = jointly();
    if (!now.equals(jointState)) {
      if (!jointState.isEmpty()) {
        together.get(jointState).add(Math.round((record.nanos() - jointSince) * cyclesPerNano));
      }
      jointState = now;
      jointSince = record.nanos();
    }
  }

  private String jointly() {
    long running = in(Runstate.RUNNING);
    long waiting = in(Runstate.RUNNABLE);
    boolean some = running + waiting < vcpus.size();
    if (running > 0 && waiting > 0) {
      return "concurrency_hazard";
    }
    if (running > 0) {
      return some ? "partial run" : "full run";
    }
    return waiting == 0 ? "blocked" : some ? "partial contention" : "full_contention";
  }

  private long in(Runstate state) {
    return vcpus.values().stream().filter(vcpu -> vcpu.state == state).count();
  }

  String text(double hertz) {
    StringBuilder text = new StringBuilder("|-- Domain " + domid + " --|\n Runstates:\n");
    together.forEach((name, times) -> text.append(times.line(Phrase.of("  %8s", name), hertz)));
    text.append(
        """
         Grant table ops:
          Done by:
          Done for:
         Populate-on-demand:
          Populated:
          Reclaim order:
          Reclaim contexts:
        """);
    vcpus.forEach(
        (number, vcpu) ->
            text.append("-- v")
                .append(number)
                .append(" --\n Runstates:\n")
                .append(vcpu.text(hertz)));
    return text.append("Emulate eip list\n").toString();
  }

  /** The number and durations of the periods spent in one state. Stores one number per period. */
  private static final class StateTimes {
    private long[] cycles = new long[16];
    private int count;

    void add(long duration) {
      if (count == cycles.length) {
        cycles = Arrays.copyOf(cycles, 2 * count);
      }
      cycles[count++] = duration;
    }

    /**
     * Returns xenalyze's line with count, seconds, average cycles, 5th, 50th and 95th percentile,
     * or an empty text if the state never occurred.
     */
    String line(String name, double hertz) {
      if (count == 0) {
        return "";
      }
      long[] sorted = Arrays.copyOf(cycles, count);
      Arrays.sort(sorted);
      long total = Arrays.stream(sorted).sum();
      return Phrase.of(
          "%s: %7d %5.2fs %6d {%6d|%6d|%6d}\n",
          name,
          count,
          total / hertz,
          total / count,
          sorted[(int) (count * 0.05)],
          sorted[count / 2],
          sorted[(int) (count * 0.95)]);
    }
  }

  /**
   * The activity of a domain on a pCPU in an interval, in nanoseconds.
   *
   * @param domid -1 for the idle domain
   * @param vcpuIds the sum of the vCPU numbers at each dispatch, which newer xenbaked mistakes for
   *     time
   */
  record PairUse(
      int pcpu, int domid, long run, long blocked, long waited, long dispatches, long vcpuIds) {}
}
