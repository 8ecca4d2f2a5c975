package io.slicewise.lab;

import io.slicewise.host.HypervisorKind;
import io.slicewise.lab.Boot.Reboots;
import io.slicewise.lab.dom0.FileTools;
import io.slicewise.lab.dom0.ProcFiles;
import io.slicewise.lab.dom0.ProcessTools;
import io.slicewise.lab.dom0.SystemTools;
import io.slicewise.lab.dom0.TextTools;
import io.slicewise.lab.guest.GuestCpu;
import io.slicewise.lab.guest.GuestHost;
import io.slicewise.lab.host.Driver;
import io.slicewise.lab.host.MachineIdentity;
import io.slicewise.lab.libvirt.LibvirtGuest;
import io.slicewise.lab.libvirt.Libvirtd;
import io.slicewise.lab.monitor.Xenalyze;
import io.slicewise.lab.monitor.Xenmon;
import io.slicewise.lab.monitor.Xentop;
import io.slicewise.lab.monitor.Xentrace;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.ProcessTable;
import io.slicewise.lab.shell.Program;
import io.slicewise.lab.shell.Shell;
import io.slicewise.lab.virsh.VirshProgram;
import io.slicewise.lab.xl.XlProgram;
import io.slicewise.lab.xm.XmProgram;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Assembles the programs of a host with the given options. */
final class Toolbox {
  /**
   * The CPU time that Domain-0 spends on one run of {@code xl}. {@code xm}, a Python program, needs
   * more.
   */
  private static final long XL_NANOS = 4_000_000;

  private static final long XM_NANOS = 60_000_000;

  /** The CPU time of one run of {@code virsh} and of the daemon that serves it. */
  private static final long VIRSH_NANOS = 25_000_000;

  private Toolbox() {}

  /** Returns a shell with the programs that every host has. */
  private static Shell common(
      LabOptions options,
      Map<String, Program> tools,
      MachineIdentity identity,
      HostFiles files,
      Reboots reboots) {
    ProcessTable processes = new ProcessTable();
    Shell shell = new Shell(tools, files, processes);
    tools.putAll(new FileTools(files, new SplittableRandom(options.seed())).tools());
    tools.putAll(new TextTools(files).tools());
    tools.putAll(new ProcessTools(processes).tools());
    tools.putAll(new SystemTools(identity, shell, Clock.systemUTC()).tools());
    tools.put("reboot", invocation -> reboot(invocation, reboots));
    return shell;
  }

  static Shell shell(LabOptions options, LibvirtBoot boot, HostFiles files, Reboots reboots) {
    Map<String, Program> tools = new HashMap<>();
    Shell shell = common(options, tools, boot.identity(), files, reboots);
    ProcFiles.ofHost(
            boot.driver(),
            boot.disk(),
            options.counterFaults(GuestHost.DOM0),
            options.hardware().pcpus())
        .into(files, boot.identity());
    MachineIdentity identity = boot.identity();
    tools.put(
        "virsh",
        working(
            boot.cpu(),
            Math.round(VIRSH_NANOS * options.site().demands().factor()),
            new VirshProgram(
                boot.daemon(), (int) identity.cpuMegahertz(), identity.memoryMib() * 1024)));
    tools.put("libvirtd", invocation -> up(boot.daemon(), true));
    tools.put("kill", new GuestSignals(boot.daemon(), tools.get("kill")));
    return shell;
  }

  /** Returns the shell of a machine without a hypervisor. */
  static Shell shell(LabOptions options, BareBoot boot, HostFiles files, Reboots reboots) {
    Map<String, Program> tools = new HashMap<>();
    Shell shell = common(options, tools, boot.identity(), files, reboots);
    ProcFiles proc =
        ProcFiles.ofDom0(
            boot.driver(), boot.disk(), options.counterFaults(HypervisorKind.BASE), boot.cpus());
    proc.into(files, boot.identity());
    proc.pressure(files);
    ProcFiles.memory(files, boot.identity().memoryMib());
    tools.put("nproc", invocation -> nproc(invocation, boot.cpus()));
    return shell;
  }

  private static int nproc(Invocation invocation, int cpus) throws IOException {
    invocation.print("%s\n", String.valueOf(cpus));
    return 0;
  }

  private static int up(Libvirtd daemon, boolean running) {
    daemon.up(running);
    return 0;
  }

  /** Returns the shell of a host with Xen. */
  static Shell shell(
      LabOptions options, XenBoot boot, HostFiles files, AtomicBoolean truncates, Reboots reboots) {
    Map<String, Program> tools = new HashMap<>();
    Shell shell = common(options, tools, boot.identity(), files, reboots);
    LabToolstack toolstack = options.toolstack();
    tools.put("xentop", new Xentop(boot.hypercalls(), boot.identity()));
    tools.put("xentrace", new Xentrace(boot.tracing(), files, toolstack.version().atLeast(3, 4)));
    if (toolstack.version().atLeast(4, 6)) {
      tools.put("xenalyze", new Xenalyze(files, boot.identity()));
    }
    ProcFiles.ofDom0(
            boot.driver(),
            boot.disk(),
            options.counterFaults(GuestHost.DOM0),
            options.hardware().dom0Vcpus())
        .into(files, boot.identity());
    if (options.software().xenmon()) {
      String name = toolstack.version().atLeast(4, 12) ? "xenmon" : "xenmon.py";
      boolean shifted = toolstack.version().atLeast(4, 8);
      tools.put(
          name, new Xenmon(name, boot.tracing(), boot.hypercalls(), files, shifted, truncates));
      tools.put("xenbaked", Toolbox::xenbaked);
    }
    if (toolstack.xm()) {
      tools.put(
          "xm",
          costing(boot.driver(), XM_NANOS, new XmProgram(boot.hypercalls(), boot.identity())));
    }
    if (toolstack.hasXl()) {
      tools.put(
          "xl",
          costing(
              boot.driver(),
              XL_NANOS,
              new XlProgram(boot.hypercalls(), boot.identity(), toolstack.xm())));
    }
    return shell;
  }

  /** Charges Domain-0 for running a tool, which is why the tools always list it as running. */
  private static Program costing(Driver driver, long nanos, Program tool) {
    return invocation -> {
      driver.post(machine -> machine.submit(0, nanos, done -> {}), () -> {});
      return tool.run(invocation);
    };
  }

  /**
   * Gives a tool its CPU time before it answers. Many calls of a tool with a high cost would
   * otherwise compete with the guests long after their answers, in a window that is measured.
   */
  private static Program working(GuestCpu cpu, long nanos, Program tool) {
    return invocation -> {
      try {
        cpu.spend(List.of(new GuestCpu.Burst(0, nanos))).toCompletableFuture().get();
      } catch (ExecutionException down) {
        throw new IOException(down.getCause().getMessage(), down);
      }
      return tool.run(invocation);
    };
  }

  /** Runs xenbaked, which only xenmon normally starts. On its own it prints its usage. */
  private static int xenbaked(Invocation invocation) throws IOException {
    invocation.print("Usage: xenbaked [OPTION...]\n");
    return 0;
  }

  /** Reboots the host, with {@code sched=NAME} as if another boot loader entry were chosen. */
  private static int reboot(Invocation invocation, Reboots reboots) throws IOException {
    List<String> arguments = invocation.arguments();
    if (arguments.isEmpty()) {
      reboots.request("");
      return 0;
    }
    if (arguments.size() == 1 && arguments.get(0).matches("sched=[a-z0-9]+")) {
      reboots.request(arguments.get(0).substring("sched=".length()));
      return 0;
    }
    invocation.complain("Usage: reboot [sched=NAME]\n");
    return 1;
  }

  /**
   * {@code kill} on a host with libvirt. A signal ends the daemon or the QEMU process of a guest;
   * all other processes belong to the shell.
   */
  record GuestSignals(Libvirtd daemon, Program others) implements Program {
    @Override
    public int run(Invocation invocation) throws IOException, InterruptedException {
      List<String> words = new ArrayList<>(invocation.words());
      boolean asks = words.contains("-0");
      boolean struck = words.subList(1, words.size()).removeIf(word -> strikes(word, asks));
      boolean more = words.stream().skip(1).anyMatch(word -> !word.startsWith("-"));
      return struck && !more ? 0 : others.run(invocation.withWords(words));
    }

    private boolean strikes(String word, boolean asks) {
      if (!word.matches("\\d{1,9}")) {
        return false;
      }
      int pid = Integer.parseInt(word);
      Optional<LibvirtGuest> guest = daemon.ofProcess(pid);
      boolean itself = pid == Libvirtd.pid() && daemon.isUp();
      if (!asks) {
        guest.ifPresent(one -> daemon.end(one, "crashed"));
        if (itself) {
          daemon.up(false);
        }
      }
      return itself || guest.isPresent();
    }
  }
}
