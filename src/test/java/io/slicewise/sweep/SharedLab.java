package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.lab.Lab;
import io.slicewise.lab.LabClient;
import io.slicewise.lab.LabToolstack;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One lab for all tests of a class, started by the first that needs it. After each test its host
 * must be as it was before: settings, locks, temporary files and processes. A host that is not is
 * replaced, so that one fault fails one test.
 */
final class SharedLab implements AfterEachCallback, AfterAllCallback {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Supplier<Lab> start;
  private Optional<Running> running = Optional.empty();

  SharedLab(Supplier<Lab> start) {
    this.start = start;
  }

  private record Running(Lab lab, RemoteShell shell, String before) {}

  private Running running() {
    if (running.isEmpty()) {
      Lab lab = start.get();
      RemoteShell shell = LabClient.open(lab);
      running = Optional.of(new Running(lab, shell, everything(lab, shell)));
    }
    return running.get();
  }

  Lab lab() {
    return running().lab();
  }

  /** Returns a connection to the host that lasts as long as the lab. */
  RemoteShell shell() {
    return running().shell();
  }

  /** Returns all that a run could leave changed. */
  String state() {
    return state(lab(), shell());
  }

  static String state(Lab lab, RemoteShell shell) {
    return lab.toolstack().tool() != LabToolstack.Tool.VIRSH
        ? printed(shell)
        : lab.settings().toString();
  }

  /** The simulated machine knows neither affinities nor what Linux sets, but the tools do. */
  private static String printed(RemoteShell shell) {
    StringBuilder state = new StringBuilder();
    for (List<String> words :
        List.of(
            List.of("xl", "cpupool-list", "-c"),
            List.of("xl", "cpupool-list"),
            List.of("xl", "sched-credit"),
            List.of("cat", "/sys/kernel/mm/transparent_hugepage/enabled"),
            List.of("cat", "/proc/sys/vm/swappiness"),
            List.of("cat", "/sys/block/xvda/queue/scheduler"))) {
      state.append(shell.run(Command.reading(words.toArray(String[]::new))).standardOutput());
    }
    lines(shell, "xl", "list", "-c")
        .map(line -> line.replaceFirst(" [-a-z]{6} +[0-9.]+ ", " "))
        .forEach(line -> state.append(line).append('\n'));
    lines(shell, "xl", "vcpu-list")
        .map(line -> line.strip().replaceFirst(" ([0-9]+|-) +[-a-z]{3} +\\d+\\.\\d +", " "))
        .forEach(line -> state.append(line).append('\n'));
    return state.toString();
  }

  private static Stream<String> lines(RemoteShell shell, String... words) {
    return shell.run(Command.reading(words)).standardOutput().lines();
  }

  private static String everything(Lab lab, RemoteShell shell) {
    return "%s%nsettings %s%nfiles %s%nprocesses %s"
        .formatted(state(lab, shell), lab.settings(), files(lab), processes(lab));
  }

  /** The links among them are locks. */
  private static List<String> files(Lab lab) {
    return Stream.of("tmp", "var", "root")
        .map(lab.fileSystem()::resolve)
        .flatMap(SharedLab::walk)
        .filter(file -> !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))
        .map(Path::toString)
        .sorted()
        .toList();
  }

  private static Stream<Path> walk(Path root) {
    try (Stream<Path> all = Files.walk(root)) {
      return all.toList().stream();
    } catch (IOException | UncheckedIOException gone) { // a file that is being removed
      return Stream.of(root.resolve("changing"));
    }
  }

  /** The programs of the host, such as a dead man's switch, are processes of this machine. */
  private static List<String> processes(Lab lab) {
    return ProcessHandle.allProcesses()
        .filter(process -> directory(process).startsWith(lab.fileSystem()))
        .map(process -> process.info().commandLine().orElse("pid " + process.pid()))
        .toList();
  }

  private static Path directory(ProcessHandle process) {
    try {
      return Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "cwd"));
    } catch (IOException ended) {
      return Path.of("");
    }
  }

  /** The programs of a host end a moment after what they did. */
  @Override
  public void afterEach(ExtensionContext context) {
    if (running.isEmpty()) {
      return;
    }
    Running now = running.get();
    try {
      Awaitility.await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(everything(now.lab(), now.shell())).isEqualTo(now.before()));
    } catch (RuntimeException | Error fault) {
      end();
      throw fault;
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    end();
  }

  private void end() {
    running.ifPresent(
        now -> {
          now.shell().close();
          now.lab().close();
        });
    running = Optional.empty();
  }
}
