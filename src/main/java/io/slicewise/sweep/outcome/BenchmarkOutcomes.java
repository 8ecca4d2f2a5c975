package io.slicewise.sweep.outcome;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.Measure;
import io.slicewise.base.units.Visible;
import io.slicewise.base.units.Window;
import io.slicewise.run.result.TrialFault;
import io.slicewise.run.result.TrialLoad;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.ssh.RunningCommand;
import io.slicewise.workload.Benchmark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The numbers that a command prints which runs in every window. One that fails, goes on after its
 * window or does not print its numbers is a fault, and the window does not count.
 */
final class BenchmarkOutcomes implements Outcomes {
  private static final String OUTPUT = "output.txt";
  private static final String ERRORS = "errors.txt";
  private static final int SHOWN = 200;

  private final Benchmark benchmark;
  private Optional<RemoteShell> shell = Optional.empty();
  private Optional<RunningCommand> running = Optional.empty();
  private Path directory = Path.of(".");

  BenchmarkOutcomes(Benchmark benchmark) {
    this.benchmark = benchmark;
  }

  @Override
  public void begin(Duration length, Path trial) {
    directory = trial;
    try {
      RemoteShell open = shell.orElseGet(benchmark::open);
      shell = Optional.of(open);
      RunningCommand begun = open.start(benchmark.command(length));
      begun.endInput();
      running = Optional.of(begun);
    } catch (RemoteShellException fault) {
      throw new TrialFault("the command of the workload cannot run: " + fault.getMessage(), fault);
    }
  }

  @Override
  public Ended cut(Path trial) {
    return ended();
  }

  @Override
  public Ended stop() {
    Ended ended = ended();
    close();
    return ended;
  }

  private Ended ended() {
    Optional<CommandResult> result;
    try {
      result = running.flatMap(RunningCommand::poll);
    } catch (RemoteShellException lost) {
      return faulty("its command was lost: " + lost.getMessage());
    } finally {
      end();
    }
    return result
        .map(this::read)
        .orElseGet(() -> faulty("its command had not ended when the window did"));
  }

  private Ended read(CommandResult result) {
    keep(OUTPUT, result.standardOutput());
    keep(ERRORS, result.standardError());
    List<Measure> measures =
        benchmark.printed().stream().map(number -> number.in(result.standardOutput())).toList();
    List<String> faults = new ArrayList<>();
    if (!result.succeeded()) {
      faults.add(
          "its command ended with status %d: %s"
              .formatted(result.exitStatus(), shown(result.standardError())));
    }
    List<String> remarks = new ArrayList<>();
    for (int i = 0; i < measures.size(); i++) {
      String name = measures.get(i).name();
      String note = Visible.line(benchmark.printed().get(i).note(result.standardOutput()));
      if (Double.isFinite(measures.get(i).value())) {
        remarks.addAll(note.isEmpty() ? List.of() : List.of(name + ": " + note));
      } else {
        faults.add(
            note.isEmpty()
                ? "its command did not print %s, but '%s'"
                    .formatted(name, shown(result.standardOutput()))
                : "of %s, its command %s".formatted(name, note));
      }
    }
    return new Read(new TrialLoad(Optional.empty(), List.of(), measures, faults), remarks);
  }

  private record Read(TrialLoad load, List<String> remarks) implements Ended {
    @Override
    public TrialLoad in(Window window) {
      return load;
    }
  }

  private static Ended faulty(String fault) {
    return window -> new TrialLoad(Optional.empty(), List.of(), List.of(), List.of(fault));
  }

  private void keep(String file, String text) {
    if (text.isEmpty()) {
      return;
    }
    try {
      Path kept = Files.createDirectories(directory.resolve("command"));
      Files.writeString(kept.resolve(file), text);
    } catch (IOException fault) {
      throw new TrialFault(
          "the output of the workload's command cannot be kept: " + FileFault.reason(fault), fault);
    }
  }

  private static String shown(String text) {
    String last = text.strip().lines().reduce("", (before, line) -> line);
    return Visible.line(last.substring(0, Math.min(SHOWN, last.length())));
  }

  private void end() {
    running.ifPresent(RunningCommand::close);
    running = Optional.empty();
  }

  @Override
  public void close() {
    end();
    shell.ifPresent(RemoteShell::close);
    shell = Optional.empty();
  }
}
