package io.slicewise.lab.monitor;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.host.MachineIdentity;
import io.slicewise.lab.monitor.Tracing.TraceRecord;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import io.slicewise.lab.sim.Runstate;
import io.slicewise.lab.sim.Runstate.RunstateListener.Cause;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * {@code xenalyze [--cpu-hz=HZ] --summary FILE}. Durations are counted in cycles and shown in
 * seconds at the given clock rate, or at 2.4 GHz by default.
 */
public final class Xenalyze implements Program {
  private static final double ASSUMED_HERTZ = 2.4e9;
  private static final int IDLE_DOMAIN = 32767;
  private static final int BYTES_A_RECORD = 32;

  private final HostFiles files;
  private final double cyclesPerNano;

  public Xenalyze(HostFiles files, MachineIdentity identity) {
    this.files = files;
    this.cyclesPerNano = identity.cpuMegahertz() / 1000;
  }

  @Override
  public int run(Invocation invocation) throws IOException {
    Getopt options =
        Getopt.parse(
            invocation.arguments(), "sa?", "cpu-hz=z: summary=s sample-size=y: help=? usage=?");
    if (options.last('?').filter(String::isEmpty).isPresent()) {
      invocation.print("Usage: xenalyze [OPTION...] [trace file]\n");
      return 0;
    }
    if (options.has('?')) {
      invocation.complain(
          """
          xenalyze: unrecognized option '%s'
          Try `xenalyze --help' or `xenalyze --usage' for more information.
          """,
          options.last('?').orElse(""));
      return 64;
    }
    if (!options.has('s') || options.operands().isEmpty()) {
      invocation.complain("Please use one of the following: -s, with a trace file.\n");
      return 1;
    }
    return summarize(invocation, options);
  }

  private int summarize(Invocation invocation, Getopt options) throws IOException {
    double hertz = options.last('z').map(Xenalyze::hertz).orElse(ASSUMED_HERTZ);
    Optional<ByteBuffer> trace = trace(invocation, options.operands().get(0));
    if (trace.isEmpty()) {
      return 1;
    }
    invocation.complain("Using VMX hardware-assisted virtualization.\n");
    Map<Integer, TracedDomain> domains = new TreeMap<>();
    Map<Integer, Integer> volume = new TreeMap<>();
    Map<Integer, Long> idleSince = new HashMap<>();
    ByteBuffer bytes = trace.get();
    long first = 0;
    long last = 0;
    while (bytes.remaining() >= TraceRecord.BYTES) {
      TraceRecord record = TraceRecord.read(bytes);
      first = first == 0 ? record.nanos() : first;
      last = record.nanos();
      volume.merge(record.pcpu(), BYTES_A_RECORD, Integer::sum);
      domain(domains, record.domid()).add(record);
      idle(domains, idleSince, record);
    }
    double seconds = (last - first) * cyclesPerNano / hertz;
    invocation.print("Total time: %.2f seconds (using cpu speed %.2f GHz)\n", seconds, hertz / 1e9);
    invocation.print("%s", volumes(volume));
    for (TracedDomain domain : domains.values()) {
      invocation.print("%s", domain.text(hertz));
    }
    return 0;
  }

  private Optional<ByteBuffer> trace(Invocation invocation, String file) throws IOException {
    try {
      return Optional.of(ByteBuffer.wrap(files.read(file)));
    } catch (IOException missing) {
      invocation.complain("open: No such file or directory\n");
      return Optional.empty();
    }
  }

  private TracedDomain domain(Map<Integer, TracedDomain> domains, int domid) {
    return domains.computeIfAbsent(domid, id -> new TracedDomain(id, cyclesPerNano));
  }

  /** Adds the idle vCPU of a pCPU, which runs from each switch-out to the next switch-in. */
  private void idle(
      Map<Integer, TracedDomain> domains, Map<Integer, Long> since, TraceRecord record) {
    int pcpu = record.pcpu();
    if (record.from() == Runstate.RUNNING) {
      since.put(pcpu, record.nanos());
    } else if (record.to() == Runstate.RUNNING && since.containsKey(pcpu)) {
      long began = since.remove(pcpu);
      if (began < record.nanos()) {
        TracedDomain idle = domain(domains, IDLE_DOMAIN);
        idle.add(change(began, pcpu, Runstate.RUNNABLE, Runstate.RUNNING));
        idle.add(change(record.nanos(), pcpu, Runstate.RUNNING, Runstate.RUNNABLE));
      }
    }
  }

  private static TraceRecord change(long nanos, int pcpu, Runstate from, Runstate to) {
    return new TraceRecord(nanos, IDLE_DOMAIN, pcpu, pcpu, from, to, Cause.PREEMPT);
  }

  private static String volumes(Map<Integer, Integer> volume) {
    StringBuilder text = new StringBuilder("--- Log volume summary ---\n");
    volume.forEach(
        (pcpu, bytes) -> text.append(Phrase.of(" - cpu %d -\n sched : %10d\n", pcpu, bytes)));
    return text.toString();
  }

  private static double hertz(String text) {
    char suffix = Character.toUpperCase(text.charAt(text.length() - 1));
    double factor = suffix == 'G' ? 1e9 : suffix == 'M' ? 1e6 : suffix == 'K' ? 1e3 : 1;
    return Double.parseDouble(factor == 1 ? text : text.substring(0, text.length() - 1)) * factor;
  }
}
