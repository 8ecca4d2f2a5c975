package io.slicewise.host.monitor;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.Window;
import io.slicewise.observe.Location;
import io.slicewise.observe.Observation;
import io.slicewise.observe.Observer;
import io.slicewise.observe.Reading;
import io.slicewise.observe.Sighting;
import io.slicewise.observe.Topic;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.ssh.RunningCommand;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;

/**
 * The observer of the control domain's kernel: its counters at both ends of the window, one {@code
 * cat} each, which needs no privilege and leaves no files. Neither delays the window, and any
 * failure is only a remark.
 */
public record Dom0Counters(RemoteShell shell) implements Observer {
  /** The control domain's kernel counters. */
  public static final Topic TOPIC = new Topic("dom0", "Dom0 kernel counters", "");

  public static final String BUSY = "busy";
  public static final String STOLEN = "stolen";
  public static final String SECONDS = "seconds";

  private static final String DOMAIN = "Domain-0";
  private static final String SOURCE = "proc";
  private static final String FILE = "dom0.txt.gz";

  /** The uptime dates what follows it, by the clock that the counters run on. */
  private static final Command READING =
      Command.reading(
              "cat",
              "/proc/uptime",
              "/proc/stat",
              "/proc/loadavg",
              "/proc/vmstat",
              "/proc/diskstats")
          .within(Duration.ofSeconds(10));

  @Override
  public String source() {
    return SOURCE;
  }

  @Override
  public Watch begin(Duration length, Path logs) {
    return new Readings(shell, logs.resolve(FILE));
  }

  /**
   * Returns the kernel's counts. A share is of the time of all vCPUs, and {@code NaN} if this
   * kernel does not count it: stolen time is runnable time without a pCPU, which the hypervisor's
   * monitors call waiting; waiting for disks is idle time with a pending request. The details have
   * each device, partitions and mapped devices included, so they do not add up.
   */
  public static Sighting sighting(ProcUse use) {
    double busiest =
        use.disks().values().stream()
            .mapToDouble(ProcUse.DiskUse::busyShare)
            .filter(Double::isFinite)
            .max()
            .orElse(Double.NaN);
    List<Reading> details = new ArrayList<>();
    details.add(new Reading(SECONDS, "s", use.seconds()));
    details.add(new Reading("load_average", "", use.loadAverage()));
    new TreeMap<>(use.disks()).forEach((name, disk) -> details.addAll(disk(name, disk)));
    return new Sighting(
        Location.domain(DOMAIN),
        List.of(
            Reading.share(BUSY, use.busy()),
            Reading.share(STOLEN, use.share("steal")),
            Reading.share("waiting_for_disks", use.share("iowait")),
            Reading.share("busiest_disk", busiest)),
        details,
        "");
  }

  private static List<Reading> disk(String name, ProcUse.DiskUse disk) {
    return List.of(
        new Reading(name + ".reads", "1/s", disk.readsPerSecond()),
        new Reading(name + ".writes", "1/s", disk.writesPerSecond()),
        new Reading(name + ".bytes_read", "B/s", disk.readBytesPerSecond()),
        new Reading(name + ".bytes_written", "B/s", disk.writtenBytesPerSecond()),
        Reading.share(name + ".busy", disk.busyShare()));
  }

  /** Both readings of one window. */
  private static final class Readings implements Watch {
    private final RemoteShell shell;
    private final Path file;
    private final List<String> remarks = new ArrayList<>();
    private final Optional<RunningCommand> first;
    private Optional<RunningCommand> last = Optional.empty();

    Readings(RemoteShell shell, Path file) {
      this.shell = shell;
      this.file = file;
      this.first = reading();
    }

    @Override
    public void end() {
      last = reading();
    }

    @Override
    public Observation finish(Window window) {
      String text = text(first, "beginning") + text(last, "end");
      if (!text.isEmpty()) {
        keep(text);
      }
      ProcLog log = ProcLog.of(text);
      ProcUse use = ProcUse.over(log.stretches());
      remarks.addAll(log.damage().sentences("dom0's /proc"));
      log.wentBack().forEach(said -> remarks.add("of dom0's /proc " + said));
      boolean measured = use.seconds() > 0;
      if (!measured && remarks.isEmpty()) {
        remarks.add("dom0's /proc has no two consecutive readings: it is not measured");
      }
      return new Observation(
          TOPIC,
          SOURCE,
          measured ? window : new Window(window.start(), window.start()),
          measured ? List.of(sighting(use)) : List.of(),
          List.of(),
          remarks);
    }

    private Optional<RunningCommand> reading() {
      return trying(() -> Optional.of(shell.start(READING)));
    }

    private String text(Optional<RunningCommand> reading, String when) {
      Optional<CommandResult> result =
          trying(() -> reading.flatMap(running -> running.await(READING.timeout())));
      if (result.isEmpty()) {
        if (reading.isPresent()) {
          remarks.add("dom0's /proc was not read in time at the window's " + when);
        }
        return "";
      }
      String output = result.get().standardOutput();
      if (!result.get().succeeded()) {
        remarks.add(
            "dom0's /proc could not be read%s: cat failed with status %d%s"
                .formatted(
                    output.isEmpty() ? "" : " in full",
                    result.get().exitStatus(),
                    Host.said(result.get())));
      }
      return output;
    }

    private <T> Optional<T> trying(Supplier<Optional<T>> reading) {
      try {
        return reading.get();
      } catch (RemoteShellException fault) {
        remarks.add("dom0's /proc could not be read: " + fault.getMessage());
        return Optional.empty();
      }
    }

    private void keep(String text) {
      try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
        out.write(text.getBytes(StandardCharsets.UTF_8));
      } catch (IOException fault) {
        remarks.add("dom0's /proc could not be kept in " + file + ": " + FileFault.reason(fault));
      }
    }

    @Override
    public void close() {
      first.ifPresent(RunningCommand::close);
      last.ifPresent(RunningCommand::close);
    }
  }
}
