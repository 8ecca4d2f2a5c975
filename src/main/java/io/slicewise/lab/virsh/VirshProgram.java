package io.slicewise.lab.virsh;

import io.slicewise.lab.libvirt.LibvirtError;
import io.slicewise.lab.libvirt.Libvirtd;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The {@code virsh} command. */
public final class VirshProgram implements Program {
  private static final String SOCKET =
      "Failed to connect socket to '/var/run/libvirt/libvirt-sock%s': %s";
  private static final String SYSTEM = "qemu:///system";

  /** Commands that need no connection. */
  private static final Set<String> LOCAL = Set.of("echo", "help");

  private final Libvirtd daemon;
  private final HostFiles files;
  private final Map<String, VirshCommand> commands = new LinkedHashMap<>();

  public VirshProgram(
      Libvirtd daemon, HostFiles files, String hostname, int megahertz, long memoryKib) {
    this.daemon = daemon;
    this.files = files;
    add(List.of(GuestList.command(), SchedInfoCommand.command()));
    add(GuestInfo.commands());
    add(PinCommands.commands());
    add(StatsCommands.commands());
    add(Lives.commands());
    add(new HostInfo(hostname, megahertz, memoryKib).commands());
    add(
        List.of(
            VirshCommand.of(
                "help",
                "print help",
                this::help,
                VshOption.text("command", "Prints global help, command specific help")),
            VirshCommand.of(
                "echo",
                "echo arguments",
                (session, arguments) ->
                    session.print("%s\n", String.join(" ", arguments.rest("string"))),
                VshOption.rest("string", "arguments to echo"))));
  }

  private void add(List<VirshCommand> more) {
    more.forEach(command -> commands.put(command.name(), command));
  }

  @Override
  public int run(Invocation invocation) throws IOException {
    String locale = invocation.environment().getOrDefault("LC_ALL", "");
    if (!locale.matches("|POSIX|C(\\.UTF-?8)?")) {
      invocation.complain("setlocale: No such file or directory\n");
    }
    GlobalOptions options;
    try {
      options = GlobalOptions.read(invocation.arguments());
      if (options.version()) {
        invocation.print("9.0.0\n");
        return 0;
      }
      if (options.uri().isPresent()) {
        connect(invocation, options);
      }
    } catch (VirshFailure failure) {
      return failed(invocation, failure);
    }
    if (options.words().isEmpty()) {
      invocation.print("Welcome to virsh, the virtualization interactive terminal.\n\n");
      return 0;
    }
    List<Call> calls = new ArrayList<>();
    try {
      for (List<String> words : commands(options.words())) {
        calls.add(call(words));
      }
    } catch (VirshFailure unread) {
      return failed(invocation, unread);
    }
    int status = 0;
    for (Call call : calls) {
      status = run(invocation, options, call);
      if (!options.quiet()) {
        invocation.print("\n");
      }
    }
    return status;
  }

  /** A command with its parsed options. */
  private record Call(VirshCommand command, VshArguments arguments) {}

  /** Returns the commands. A single argument may contain several. */
  private static List<List<String>> commands(List<String> words) {
    return words.size() == 1 ? CommandString.parse(words.get(0)) : List.of(words);
  }

  private Call call(List<String> words) {
    String name = words.get(0);
    VirshCommand command = commands.get(name);
    if (command == null) {
      throw new VirshFailure(
          UnmodelledCommands.COMMANDS.contains(name)
              ? "virsh " + name + " is not modelled by this lab"
              : "unknown command: '" + name + "'");
    }
    return new Call(
        command, VshArguments.read(name, command.options(), words.subList(1, words.size())));
  }

  private int run(Invocation invocation, GlobalOptions options, Call call) throws IOException {
    try {
      boolean local = LOCAL.contains(call.command().name());
      boolean system = local || connect(invocation, options);
      VirshSession session =
          new VirshSession(invocation, daemon, files, system, options.quiet(), options.readOnly());
      synchronized (daemon) {
        call.command().body().run(session, call.arguments());
      }
      return 0;
    } catch (VirshFailure failure) {
      return failed(invocation, failure);
    } catch (LibvirtError refused) {
      return failed(invocation, new VirshFailure(refused.getMessage()));
    }
  }

  private static int failed(Invocation invocation, VirshFailure failure) throws IOException {
    for (String message : failure.messages()) {
      invocation.complain("error: %s\n", message);
    }
    return 1;
  }

  /** Connects and returns whether the connection is to the host's guests. */
  private boolean connect(Invocation invocation, GlobalOptions options) {
    String user = invocation.user();
    String usual = user.equals(Invocation.ROOT) ? SYSTEM : "qemu:///session";
    String uri =
        options
            .uri()
            .orElseGet(() -> invocation.environment().getOrDefault("LIBVIRT_DEFAULT_URI", usual));
    String failed = "failed to connect to the hypervisor";
    if (uri.equals("qemu:///session")) {
      return false;
    }
    if (!uri.equals(SYSTEM)) {
      String scheme = uri.contains(":") ? uri.substring(0, uri.indexOf(':')) : uri;
      throw new VirshFailure(
          failed,
          scheme.equals("qemu")
              ? "internal error: unexpected QEMU URI path '%s', try qemu:///system"
                  .formatted(uri.replaceFirst("^qemu://[^/]*", ""))
              : "no connection driver available for " + uri);
    }
    String socket = options.readOnly() ? "-ro" : "";
    if (!daemon.isUp()) {
      throw new VirshFailure(failed, SOCKET.formatted(socket, "No such file or directory"));
    }
    if (!options.readOnly() && !List.of(Invocation.ROOT, Invocation.MEMBER).contains(user)) {
      throw new VirshFailure(failed, SOCKET.formatted(socket, "Permission denied"));
    }
    return true;
  }

  private void help(VirshSession session, VshArguments arguments) throws IOException {
    if (arguments.text("command").isEmpty()) {
      for (VirshCommand command : commands.values()) {
        session.print("    %-30s %s\n", command.name(), command.summary());
      }
      return;
    }
    String name = arguments.text("command").orElseThrow();
    VirshCommand command = commands.get(name);
    if (command == null) {
      throw new VirshFailure("command or command group '" + name + "' doesn't exist");
    }
    session.print("%s", command.help());
  }
}
