package io.slicewise.lab.monitor;

import io.slicewise.lab.monitor.Tracing.TraceRecord;
import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.HostFiles.DiskFullException;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import io.slicewise.lab.sim.Runstate;
import io.slicewise.lab.sim.Runstate.RunstateListener;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * {@code xentrace -D -e MASK -T SECONDS FILE}: records runstate changes, whatever the mask, in a
 * format that only this host's {@code xenalyze} reads. The short forms of {@code -T} and {@code -D}
 * were added in 3.4.
 */
public record Xentrace(Tracing tracing, HostFiles files, boolean shortForms) implements Program {
  private static final long FLUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  @Override
  public int run(Invocation invocation) throws IOException {
    Getopt options =
        Getopt.parse(
            invocation.arguments(),
            shortForms ? "c:e:s:S:t:T:r:M:Dx?V" : "c:e:s:S:t:?V",
            "time-interval=T: discard-buffers=D evt-mask=e: reserve-disk-space=r:"
                + " dont-disable-tracing=x memory-buffer=M: help=? usage=?");
    if (options.has('?') || options.operands().isEmpty()) {
      invocation.complain("Usage: xentrace [OPTION...] [output file]\n");
      return 64;
    }
    if (options.has('e')) {
      invocation.complain("change evtmask to 0x%x\n", mask(options.last('e').orElse("")));
    }
    long seconds = options.last('T').map(Getopt::strtol).orElse(0);
    return record(invocation, options.operands().get(0), seconds);
  }

  private static long mask(String text) {
    return switch (text) {
      case "all" -> 0xffff000;
      case "sched" -> 0x2f000;
      default -> text.matches("0x[0-9a-fA-F]{1,8}|[0-9]{1,9}") ? Long.decode(text) : 0;
    };
  }

  private int record(Invocation invocation, String file, long seconds) throws IOException {
    TraceBuffer buffer = tracing.start(machine -> new TraceBuffer());
    long end =
        seconds == 0 ? Long.MAX_VALUE : System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    try (OutputStream output = files.open(file, false)) {
      try {
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
          TimeUnit.NANOSECONDS.sleep(Math.min(left, FLUSH_NANOS));
          write(output, buffer.drain());
        }
      } catch (InterruptedException asked) {
        return 0; // as by its own alarm
      } finally {
        tracing.stop(buffer);
        write(output, buffer.drain());
      }
    } catch (DiskFullException full) {
      invocation.complain("ERROR: Failed to write trace data: %s\n", "No space left on device");
      return 1;
    }
    return 0;
  }

  private void write(OutputStream output, List<TraceRecord> records) throws IOException {
    files.refuseIfFull("trace");
    ByteBuffer bytes = ByteBuffer.allocate(records.size() * TraceRecord.BYTES);
    records.forEach(record -> record.write(bytes));
    output.write(bytes.array());
  }

  /** A buffer that collects changes on the machine's thread for another thread to read. */
  static final class TraceBuffer implements RunstateListener {
    private List<TraceRecord> records = new ArrayList<>();

    @Override
    public synchronized void changed(
        long nanos, int domid, int vcpu, int pcpu, Runstate from, Runstate to, Cause cause) {
      records.add(new TraceRecord(nanos, domid, vcpu, pcpu, from, to, cause));
    }

    /** Returns all records since the last call. */
    synchronized List<TraceRecord> drain() {
      List<TraceRecord> drained = records;
      records = new ArrayList<>();
      return drained;
    }
  }
}
