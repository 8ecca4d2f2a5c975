package io.slicewise.sweep.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.RunPlace;
import io.slicewise.run.journal.ThisProcess;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.Conversation;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RunningCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects: a host's lock is taken from nobody unasked, and taken again when a reboot lost it. */
class HostLockTest {
  @TempDir Path directory;

  private final Link host = new Link();
  private Experiment experiment;
  private RunDirectory run;

  @BeforeEach
  void begin() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("e.yaml"),
            """
            name: e
            host: {address: dom0.example}
            domains: {main: [web]}
            workload: observe
            profiles: [as-found]
            """);
    experiment = ExperimentFiles.read(file);
    run = RunDirectory.begin(directory.resolve("results"), "e", experiment, Instant.EPOCH);
  }

  private HostLock take() {
    return HostLock.take(host, experiment, run, SweepOptions.DEFAULT);
  }

  @Test
  void aLockFreedBetweenTwoLooksIsTakenWithoutRemovingAnything() {
    host.holder = "other-run (process 1 on a)";
    host.freedOnLook = true;
    take();
    assertThat(host.holder).startsWith(run.name());
    assertThat(host.sent).doesNotContain("rm");
  }

  @Test
  void anotherRunsLockStays() {
    host.holder = "other-run (process 1 on a)";
    assertThatThrownBy(this::take)
        .isInstanceOfSatisfying(
            SlicewiseException.class,
            fault -> assertThat(fault.errorKind()).isEqualTo(ErrorKind.LOCKED));
    assertThat(host.sent).doesNotContain("rm");
  }

  @Test
  void aHostThatRefusesTheLinkSaysHowToBeAllowed() {
    host.refusal = "ln: failed to create symbolic link: Permission denied";
    assertThatThrownBy(this::take)
        .hasMessageContaining("Permission denied")
        .isInstanceOfSatisfying(
            SlicewiseException.class,
            fault -> {
              assertThat(fault.errorKind()).isEqualTo(ErrorKind.NOT_READY);
              assertThat(fault.hint()).contains("sudo: true");
            });
    assertThat(host.sent).doesNotContain("rm");
  }

  private static String lock(RunDirectory run, String id, String machine, long process) {
    return "%s (run %s of machine %s, process %d on a)".formatted(run.name(), id, machine, process);
  }

  private String id() {
    return run.place().orElseThrow().run();
  }

  @Test
  void takesOverWhatAKilledProcessOfTheSameRunLeft() {
    String left = lock(run, id(), ThisProcess.machineId(), 1);
    host.holder = left;
    take();
    assertThat(host.holder).isNotEqualTo(left).startsWith(run.name()).contains(id());
  }

  @Test
  void saysThatTheRunThatLeftTheLockHasEndedAndHowToRemoveIt() {
    host.holder = lock(run, "0123456789abcdef", ThisProcess.machineId(), 999_999_999);
    assertThatThrownBy(this::take)
        .isInstanceOfSatisfying(
            SlicewiseException.class,
            fault -> {
              assertThat(fault).hasMessageEndingWith("which has ended without releasing it");
              assertThat(fault.hint())
                  .startsWith("'slicewise restore' or 'resume' of its directory")
                  .contains("its dead man's switch, if it armed one");
            });
    host.holder = lock(run, "0123456789abcdef", "fedcba9876543210", 999_999_999);
    assertThatThrownBy(this::take)
        .hasMessageEndingWith("on a)")
        .isInstanceOfSatisfying(
            SlicewiseException.class, fault -> assertThat(fault.hint()).startsWith("wait for it"));
  }

  @Test
  void aRunOfTheSameNameIsAnotherRun() {
    RunDirectory twin =
        RunDirectory.begin(directory.resolve("others"), "e", experiment, Instant.EPOCH);
    assertThat(twin.name()).isEqualTo(run.name());
    HostLock.take(host, experiment, twin, SweepOptions.DEFAULT);
    assertThatThrownBy(this::take)
        .isInstanceOfSatisfying(
            SlicewiseException.class,
            fault -> assertThat(fault.errorKind()).isEqualTo(ErrorKind.LOCKED));
    assertThat(host.sent).doesNotContain("rm");
  }

  @Test
  void anAdoptedCopyNeverTakesTheLockOfALivingProcess() throws IOException {
    String original = id();
    try (Journal journal = Journal.open(run.journalFile())) {
      RunPlace adopted = RunPlace.fresh(run.journalFile());
      journal.append(new JournalEvent.Placed(Instant.EPOCH, adopted));
    }
    long living = ProcessHandle.current().parent().orElseThrow().pid();
    host.holder = lock(run, original, ThisProcess.machineId(), living);
    SweepOptions force = new SweepOptions(true, Duration.ZERO);
    assertThatThrownBy(() -> HostLock.take(host, experiment, run, force))
        .hasMessageContaining("is held by");
    host.holder = lock(run, original, ThisProcess.machineId(), 999_999_999);
    HostLock.take(host, experiment, run, SweepOptions.DEFAULT);
    assertThat(host.holder).contains(id());
  }

  @Test
  void aRebootedHostIsLockedAgain() {
    HostLock lock = take();
    host.holder = "";
    lock.takeAgain();
    assertThat(host.holder).startsWith(run.name());
  }

  /** A host that knows nothing but one symbolic link. */
  private static final class Link implements RemoteShell {
    private final List<String> sent = new ArrayList<>();
    private String holder = "";
    private String refusal = "";
    private boolean freedOnLook;

    @Override
    public CommandResult run(Command command) {
      String verb = command.words().get(0);
      sent.add(verb);
      return switch (verb) {
        case "ln" -> link(command);
        case "readlink" -> look(command);
        case "rm" -> {
          holder = "";
          yield result(command, 0, "", "");
        }
        default -> throw new IllegalArgumentException(verb);
      };
    }

    private CommandResult link(Command command) {
      if (!refusal.isEmpty()) {
        return result(command, 1, "", refusal);
      }
      if (!holder.isEmpty()) {
        return result(command, 1, "", "ln: failed to create symbolic link: File exists");
      }
      holder = command.words().get(2);
      return result(command, 0, "", "");
    }

    private CommandResult look(Command command) {
      if (freedOnLook) {
        holder = "";
        freedOnLook = false;
      }
      return result(command, holder.isEmpty() ? 1 : 0, holder, "");
    }

    private static CommandResult result(Command command, int status, String out, String err) {
      return new CommandResult(command, status, out, err, Duration.ZERO);
    }

    @Override
    public Conversation converse(Command command) {
      throw new UnsupportedOperationException();
    }

    @Override
    public RunningCommand start(Command command) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void fetch(String remoteFile, Path localFile) {
      throw new UnsupportedOperationException();
    }

    @Override
    public String address() {
      return "root@dom0.example:22";
    }

    @Override
    public void close() {
      sent.add("close");
    }
  }
}
