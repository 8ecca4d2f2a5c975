package io.slicewise.host.monitor;

import io.slicewise.base.units.FileFault;
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
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;

/**
 * The counters of the control domain's kernel at a window's two ends: one {@code cat} each, which
 * needs no privilege, leaves nothing behind and ends by itself. Neither holds up the window, and
 * whatever goes wrong is told and fails nothing.
 */
public final class Dom0Counters implements AutoCloseable {
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

  private final RemoteShell shell;
  private final List<String> remarks = new ArrayList<>();
  private final Optional<RunningCommand> first;
  private Optional<RunningCommand> last = Optional.empty();

  private Dom0Counters(RemoteShell shell) {
    this.shell = shell;
    this.first = reading();
  }

  /**
   * What was seen.
   *
   * @param use empty when it could not be measured
   * @param remarks why, or what is missing, in words
   */
  public record Seen(Optional<Dom0Use> use, List<String> remarks) {
    public Seen {
      remarks = remarks.stream().distinct().toList();
    }
  }

  /** Reads them for the first time, where the window begins. */
  public static Dom0Counters atBeginning(RemoteShell shell) {
    return new Dom0Counters(shell);
  }

  /** Reads them once more, where the window ends. */
  public void atEnd() {
    last = reading();
  }

  /**
   * Keeps both readings and reduces them.
   *
   * @param file that will hold them, gzipped
   */
  public Seen finish(Path file) {
    String text = text(first, "beginning") + text(last, "end");
    if (!text.isEmpty()) {
      keep(text, file);
    }
    ProcLog log = ProcLog.of(text);
    ProcUse use = ProcUse.over(log.stretches());
    remarks.addAll(log.damage().sentences("dom0's /proc"));
    log.wentBack().forEach(said -> remarks.add("of dom0's /proc " + said));
    if (use.seconds() > 0) {
      return new Seen(Optional.of(Dom0Use.of(use)), remarks);
    }
    if (remarks.isEmpty()) {
      remarks.add("dom0's /proc gave no two readings that follow each other: it is not measured");
    }
    return new Seen(Optional.empty(), remarks);
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
          "dom0's /proc could not be read"
              + (output.isEmpty() ? "" : " in full")
              + ": cat answered "
              + result.get().exitStatus()
              + Host.said(result.get()));
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

  private void keep(String text, Path file) {
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException fault) {
      remarks.add("dom0's /proc could not be kept in " + file + ": " + FileFault.words(fault));
    }
  }

  @Override
  public void close() {
    first.ifPresent(RunningCommand::close);
    last.ifPresent(RunningCommand::close);
  }
}
