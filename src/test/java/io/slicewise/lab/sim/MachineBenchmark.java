package io.slicewise.lab.sim;

import io.slicewise.lab.sim.Machine.MachineSpec;
import io.slicewise.lab.sim.WebApplicationModel.Layout;
import io.slicewise.lab.sim.WebApplicationModel.Route;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Sedf;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How many minutes of the 2010 study's web application, and how many events, are simulated in a
 * second. The study's 125 hours are 7500 such minutes. The collector is the launcher's.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 1, jvmArgsAppend = "-XX:+UseSerialGC")
public class MachineBenchmark {
  private static final long MINUTE = 60_000_000_000L;

  @Param({"credit", "credit2", "sedf", "sedf-2.8", "rtds"})
  public String profile;

  @Param({"25", "800"})
  public int users;

  private Machine machine;

  /** Events handled, as a rate of their own. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.OPERATIONS)
  public static class Counters {
    public long events;
  }

  @Setup(Level.Iteration)
  public void boot() {
    machine = new Machine(new MachineSpec(4, options(), 1));
    machine.addDomain("SimDomain-0", 0, 4, Machine.POOL_0);
    machine.addDomain("Apache_Server", 1, 1, Machine.POOL_0);
    machine.addDomain("NFS_Server", 2, 2, Machine.POOL_0);
    machine.addDomain("MySQL_Server", 3, 2, Machine.POOL_0);
    if (profile.equals("sedf-2.8")) {
      machine.set(0, slice(1_600_000));
      for (int domid = 1; domid < 4; domid++) {
        machine.set(domid, slice(2_800_000));
      }
    }
    new WebApplicationModel(
            machine,
            new Layout(1, 3, 2, 0),
            Route.STUDY_2010,
            Demands.STUDY_2010,
            users,
            Duration.ZERO,
            1,
            (sent, answered) -> {})
        .start(Duration.ZERO);
  }

  private SchedulerOptions options() {
    return switch (profile) {
      case "credit" -> SchedulerOptions.Credit.XEN_3_3;
      case "credit2" -> SchedulerOptions.Credit2.XEN_4_17;
      case "rtds" -> SchedulerOptions.Rtds.XEN_4_17;
      default -> SchedulerOptions.Sedf.XEN_3_3;
    };
  }

  private static SchedulerParameters slice(long nanos) {
    return Sedf.of(Duration.ofMillis(10), Duration.ofNanos(nanos), Duration.ZERO, true, 0);
  }

  @Benchmark
  public long minute(Counters counters) {
    long before = machine.events();
    machine.runUntil(machine.now() + MINUTE);
    counters.events += machine.events() - before;
    return machine.events();
  }
}
