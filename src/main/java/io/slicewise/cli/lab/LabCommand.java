package io.slicewise.cli.lab;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.WholeFile;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.experiment.HostSpec.HostLimits;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.LabParts;
import io.slicewise.lab.LabToolstack;
import io.slicewise.lab.guest.Scene;
import io.slicewise.lab.guest.Scenes;
import io.slicewise.lab.replay.ReplayLab;
import io.slicewise.profile.Scheduler;
import io.slicewise.run.RunClaim;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.bundle.OpenedBundle;
import io.slicewise.run.journal.Journal;
import io.slicewise.ssh.SshLogin;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.commons.io.FileUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slicewise lab}: runs the embedded host in the foreground until Ctrl-C. */
@Command(
    name = "lab",
    mixinStandardHelpOptions = true,
    description = {
      "Starts an embedded host for experiments and runs it until Ctrl-C.",
      "It answers xm, xl or virsh over SSH and serves the applications of a workload, on loopback"
          + " only. With --replay it answers as the host of a recorded run did."
    })
public final class LabCommand implements Callable<Integer> {
  private static final long LATENESS_EVERY_SECONDS = 10;
  private static final Set<String> WITH_REPLAY = Set.of("--replay", "--ssh-port", "--directory");

  @Spec private CommandSpec spec;

  @Option(
      names = "--hypervisor",
      paramLabel = "NAME",
      description = "xen, libvirt or none (default: that of the toolstack).")
  private Optional<String> hypervisor = Optional.empty();

  @Option(
      names = "--toolstack",
      paramLabel = "TOOLSTACK",
      description = "xm-3.1 to xm-4.4, xl-4.1 to xl-4.22 or virsh-9.0 (default: xl-4.17).")
  private Optional<String> toolstack = Optional.empty();

  @Option(
      names = "--cgroup",
      paramLabel = "VERSION",
      defaultValue = "v1",
      description = "Control groups of a libvirt host: v1 or v2 (default: ${DEFAULT-VALUE}).")
  private String cgroup;

  @Option(
      names = "--scheduler",
      paramLabel = "NAME",
      description = "credit, credit2, sedf or rtds (default: the default of that version of Xen).")
  private Optional<String> scheduler = Optional.empty();

  @Option(
      names = "--ssh-port",
      paramLabel = "PORT",
      description = "Port to listen on (default: any free port).")
  private int sshPort;

  @Option(
      names = "--http-port",
      paramLabel = "PORT",
      description = "Port to listen on (default: any free port).")
  private int httpPort;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      description = "Seed of all random numbers (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "Directory for keys and the host's files (default: a temporary directory).")
  private Optional<Path> directory = Optional.empty();

  @Option(
      names = "--scene",
      paramLabel = "WORKLOAD",
      defaultValue = "web-app",
      description = "Workload whose servers run in the guests (default: ${DEFAULT-VALUE}).")
  private String scene;

  @Option(
      names = "--ssh-only",
      description = "Start without servers in the guests, which is faster.")
  private boolean sshOnly;

  @Option(
      names = "--replay",
      paramLabel = "BUNDLE",
      description =
          "Answer every command as the host of this bundle's run did; goes with --ssh-port and"
              + " --directory only.")
  private Optional<File> replay = Optional.empty(); // a Path would be unpacked

  @Override
  public Integer call() throws InterruptedException {
    LabParts.require();
    if (replay.isPresent()) {
      return replay(replay.get().toPath());
    }
    Lab lab = started();
    PrintWriter out = spec.commandLine().getOut();
    print(out, lab);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(out, lab), "lab-end"));
    CountDownLatch forever = new CountDownLatch(1);
    while (!forever.await(LATENESS_EVERY_SECONDS, TimeUnit.SECONDS)) {
      if (!lab.lateness().acceptable()) {
        spec.commandLine().getErr().println(lab.lateness().summary());
        lab.lateness().reset();
      }
    }
    return ExitCode.OK.code();
  }

  private int replay(Path bundle) throws InterruptedException {
    spec.commandLine().getParseResult().matchedOptions().stream()
        .map(OptionSpec::longestName)
        .filter(name -> !WITH_REPLAY.contains(name))
        .findFirst()
        .ifPresent(LabCommand::refuseWithReplay);
    ReplayedHost host = ReplayedHost.start(bundle, directory, sshPort);
    host.print(spec.commandLine().getOut());
    Runtime.getRuntime().addShutdownHook(new Thread(host::close, "replay-end"));
    new CountDownLatch(1).await();
    return ExitCode.OK.code();
  }

  private static void refuseWithReplay(String option) {
    throw SlicewiseException.input(
        option + " has no effect on a recorded host", "leave it out, or leave out --replay");
  }

  private static void end(PrintWriter out, Lab lab) {
    out.println(lab.lateness().summary());
    lab.close();
  }

  private Lab started() {
    try {
      LabOptions options =
          LabOptions.defaults()
              .withHypervisor(hypervisor, toolstack, cgroup)
              .withSeed(seed)
              .withScene(scene())
              .withServers(!sshOnly)
              .withPorts(sshPort, httpPort);
      if (directory.isPresent()) {
        options = options.withDirectory(directory.get());
      }
      return Lab.start(scheduler.isPresent() ? options.withScheduler(named()) : options);
    } catch (IllegalArgumentException refused) {
      throw SlicewiseException.input(refused.getMessage(), "", refused);
    } catch (UncheckedIOException fault) {
      throw new SlicewiseException(
          ErrorKind.NOT_READY,
          fault.getMessage() + ": " + FileFault.reason(fault.getCause()),
          "",
          fault);
    }
  }

  private Scene scene() {
    return Scenes.named(scene)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "scene '" + scene + "' is not one of " + String.join(", ", Scenes.names())));
  }

  private Scheduler named() {
    String name = scheduler.orElse("");
    return Scheduler.ofXenName(name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "scheduler '" + name + "' is not one of credit, credit2, sedf, rtds"));
  }

  private void print(PrintWriter out, Lab lab) {
    LabToolstack toolstack = lab.toolstack();
    String kind =
        switch (toolstack.tool()) {
          case NONE -> "Machine   127.0.0.1 port %d, no hypervisor";
          case VIRSH -> "KVM host  127.0.0.1 port %d, " + toolstack;
          case XM, XL -> "Xen host  127.0.0.1 port %d, " + toolstack;
        };
    out.println(kind.formatted(lab.sshPort()));
    out.println("Host key  " + lab.fingerprint());
    out.println("Key file  " + lab.privateKey());
    lab.target().ifPresent(uri -> out.println("Web page  " + uri + " (user1, password1)"));
    lab.workloadOptions().forEach((name, value) -> out.println("Option    " + name + ": " + value));
    String command =
        switch (toolstack.tool()) {
          case NONE -> "cat /proc/stat";
          case VIRSH -> "virsh -c qemu:///system list";
          case XM, XL -> toolstack.tool().command() + " list";
        };
    out.println("Try       " + example(lab, command));
    out.println("Press Ctrl-C to stop.");
  }

  private static String example(Lab lab, String command) {
    return "ssh -i %s -o UserKnownHostsFile=%s -p %s root@127.0.0.1 %s"
        .formatted(lab.privateKey(), lab.knownHosts(), lab.sshPort(), command);
  }

  /**
   * The host of a bundle's run, answering as it was recorded, and a copy of the run whose
   * experiment names that host.
   */
  record ReplayedHost(ReplayLab lab, RunDirectory run, Path directory, boolean temporary)
      implements AutoCloseable {
    /**
     * Unpacks a bundle and starts its host.
     *
     * @param chosen receives the run, keys and files; empty for a temporary directory
     * @throws SlicewiseException if the file is no intact bundle, or has no recording
     */
    static ReplayedHost start(Path bundle, Optional<Path> chosen, int port) {
      try {
        Path directory =
            chosen.isPresent()
                ? Files.createDirectories(chosen.get())
                : Files.createTempDirectory("slicewise-replay-");
        try {
          return start(bundle, directory, chosen.isEmpty(), port);
        } catch (IOException | RuntimeException refused) {
          remove(directory, chosen.isEmpty());
          throw refused;
        }
      } catch (IOException fault) {
        throw new SlicewiseException(
            ErrorKind.STORAGE,
            "cannot replay %s: %s".formatted(bundle, FileFault.reason(fault)),
            "name another directory with --directory",
            fault);
      }
    }

    private static ReplayedHost start(Path bundle, Path directory, boolean temporary, int port)
        throws IOException {
      Path root;
      try (OpenedBundle opened = OpenedBundle.open(bundle)) {
        root = opened.unpack(directory);
      }
      RunDirectory run = RunDirectory.open(root);
      Experiment recorded = ExperimentFiles.read(run.experimentFile());
      ReplayLab lab = ReplayLab.start(root, directory, port);
      try {
        Experiment replayed = recorded.answeredBy(host(lab, recorded.host().orElseThrow()));
        WholeFile.write(run.experimentFile(), ExperimentFiles.toYaml(replayed));
        try (Journal journal = Journal.open(run.journalFile())) {
          new RunClaim(run, true).settle(journal, Clock.systemUTC());
        }
        return new ReplayedHost(lab, run, directory, temporary);
      } catch (IOException | RuntimeException refused) {
        lab.close();
        throw refused;
      }
    }

    private static HostSpec host(ReplayLab lab, HostSpec recorded) {
      return new HostSpec(
          "127.0.0.1",
          false,
          SshLogin.of("root", lab.port(), lab.privateKey(), lab.knownHosts()),
          recorded.sudo(),
          recorded.cpupool(),
          recorded.hypervisor(),
          recorded.toolstack(),
          HostLimits.DEFAULT,
          recorded.deadMan());
    }

    void print(PrintWriter out) {
      out.println("Replay    127.0.0.1 port %d, %d answers".formatted(lab.port(), lab.answers()));
      out.println("Run       " + run.root());
      out.println("Try       slicewise doctor " + run.experimentFile());
      out.println("Press Ctrl-C to stop.");
    }

    private static void remove(Path directory, boolean temporary) {
      if (temporary) {
        FileUtils.deleteQuietly(directory.toFile());
      }
    }

    @Override
    public void close() {
      lab.close();
      remove(directory, temporary);
    }
  }
}
