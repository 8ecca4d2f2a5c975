package io.slicewise.lab;

import io.slicewise.host.monitor.machine.ProbeCommand;
import io.slicewise.lab.daemon.LabKeys;
import io.slicewise.lab.daemon.SshDaemon;
import io.slicewise.lab.dom0.ProcFiles;
import io.slicewise.lab.dom0.TextTools;
import io.slicewise.lab.fault.LabFault.FaultScript;
import io.slicewise.lab.guest.ServiceTools;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.ProcessTable;
import io.slicewise.lab.shell.Program;
import io.slicewise.lab.shell.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The SSH servers of the guests. Each lets in root, and one user who may run the probe's command
 * and nothing else, as an account that is limited by {@code command=} in {@code authorized_keys}. A
 * guest that boots has another boot id and counts from 0.
 */
public final class GuestLogins implements AutoCloseable {
  /** The user of every guest. */
  public static final String USER = "slicewise";

  private static final int CANNOT_EXECUTE = 126;

  private final LabOptions options;
  private final Path directory;
  private final LabKeys keys;
  private final Function<List<String>, Optional<ServiceTools>> service;
  private final Map<String, Guest> guests = new LinkedHashMap<>();

  /** The server of a guest and its files. */
  private record Guest(SshDaemon daemon, HostFiles files, List<Shell> shells) {
    void down() {
      daemon.down();
      shells.forEach(Shell::killAll);
      shells.clear();
    }
  }

  /**
   * @param service the programs for the servers of some guests; none before there are servers
   */
  GuestLogins(
      LabOptions options,
      Path directory,
      LabKeys keys,
      Function<List<String>, Optional<ServiceTools>> service) {
    this.service = service;
    this.options = options;
    this.directory = directory;
    this.keys = keys;
  }

  /** Opens the server of a guest on a free port. */
  void open(LabGuest guest, Boot boot) throws IOException {
    HostFiles files =
        new HostFiles(directory.resolve("guests").resolve(Integer.toString(guests.size() + 1)));
    SshDaemon daemon =
        new SshDaemon(
            keys, Set.of(USER, Invocation.ROOT), files, new FaultScript(List.of()), fault -> {}, 0);
    guests.put(guest.name(), new Guest(daemon, files, new ArrayList<>()));
    up(guest, boot);
  }

  /** Boots a guest; it has a server if it was opened. */
  void up(LabGuest guest, Boot boot) {
    Guest login = guests.get(guest.name());
    Integer domid = boot.domids().get(guest.name());
    if (login != null && domid != null) {
      ProcFiles.ofGuest(
              boot.driver(), boot.disk(), options.counterFaults(guest.name()), domid, guest.vcpus())
          .into(login.files());
      ProcFiles.memory(login.files(), guest.memoryMib());
      Map<String, Program> tools = new HashMap<>(new TextTools(login.files()).tools());
      Shell shell = new Shell(tools, login.files(), new ProcessTable());
      tools.put("sh", shell::sh);
      service.apply(List.of(guest.name())).ifPresent(more -> tools.putAll(more.tools()));
      tools.put(
          "echo", invocation -> echo(invocation, String.join(" ", invocation.arguments()) + "\n"));
      login.shells().add(shell);
      login.daemon().up(invocation -> run(shell, invocation));
    }
  }

  private static int run(Shell shell, Invocation invocation)
      throws IOException, InterruptedException {
    if (invocation.user().equals(USER)
        && !invocation.words().get(0).equals(ProbeCommand.guestLine())) {
      invocation.complain("this account may run the probe's command only\n");
      return CANNOT_EXECUTE;
    }
    return shell.run(invocation);
  }

  private static int echo(Invocation invocation, String text) throws IOException {
    invocation.print(text);
    return 0;
  }

  void upAll(List<LabGuest> all, Boot boot) {
    all.forEach(guest -> up(guest, boot));
  }

  void down(String guest) {
    if (guests.containsKey(guest)) {
      guests.get(guest).down();
    }
  }

  void downAll() {
    guests.values().forEach(Guest::down);
  }

  int port(String guest) {
    return guests.get(guest).daemon().port();
  }

  Set<String> guests() {
    return Collections.unmodifiableSet(guests.keySet());
  }

  String knownHostsLine(LabGuest guest) {
    return guests.get(guest.name()).daemon().knownHostsLine() + "\n";
  }

  @Override
  public void close() {
    downAll();
    guests.values().forEach(guest -> guest.daemon().close());
  }
}
