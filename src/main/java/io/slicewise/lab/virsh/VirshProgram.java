package io.slicewise.lab.virsh;

import io.slicewise.lab.libvirt.LibvirtGuest;
import io.slicewise.lab.libvirt.Libvirtd;
import io.slicewise.lab.libvirt.Libvirtd.LibvirtError;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import io.slicewise.lab.virsh.VshArguments.Impact;
import io.slicewise.lab.virsh.VshArguments.VshOption;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The {@code virsh} command. */
public final class VirshProgram implements Program {
  private static final String SOCKET =
      "Failed to connect socket to '/var/run/libvirt/libvirt-sock': %s";
  private static final String SYSTEM = "qemu:///system";

  /** Commands that need no connection. */
  private static final Set<String> LOCAL = Set.of("echo", "help");

  private final Libvirtd daemon;
  private final Map<String, VirshCommand> commands = new LinkedHashMap<>();

  public VirshProgram(Libvirtd daemon, int megahertz, long memoryKib) {
    this.daemon = daemon;
    add(
        List.of(
            GuestList.command(),
            SchedInfoCommand.command(),
            SchedInfoCommand.ofDisks(),
            EditCommand.command(),
            EventCommand.command(),
            StatsCommand.command()));
    add(PinCommands.commands());
    add(Lives.commands());
    add(new HostInfo(megahertz, memoryKib).commands());
    add(
        List.of(
            VirshCommand.of("help", (session, arguments) -> help(session)),
            VirshCommand.of(
                "echo",
                (session, arguments) ->
                    session.print("%s\n", String.join(" ", arguments.rest("string"))),
                VshOption.rest("string"))));
  }

  private void add(List<VirshCommand> more) {
    more.forEach(command -> commands.put(command.name(), command));
  }

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    GlobalOptions options;
    try {
      options = GlobalOptions.read(invocation.arguments());
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

  /**
   * Returns the commands. A single argument may contain several, of words without quotes, separated
   * by semicolons.
   */
  private static List<List<String>> commands(List<String> words) {
    if (words.size() > 1) {
      return List.of(words);
    }
    if (words.get(0).matches("(?s).*['\"\\\\#].*")) {
      throw new VirshFailure("quotes within one argument are not modelled by this lab");
    }
    return Stream.of(words.get(0).split(";", -1))
        .filter(command -> !command.isBlank())
        .map(command -> List.of(command.strip().split("\\s+")))
        .toList();
  }

  private Call call(List<String> words) {
    String name = words.get(0);
    VirshCommand command = commands.get(name);
    if (command == null) {
      throw new VirshFailure("unknown command: '" + name + "'");
    }
    return new Call(
        command, VshArguments.read(name, command.options(), words.subList(1, words.size())));
  }

  private int run(Invocation invocation, GlobalOptions options, Call call)
      throws IOException, InterruptedException {
    try {
      if (!LOCAL.contains(call.command().name())) {
        connect(invocation, options);
      }
      VirshSession session = new VirshSession(invocation, daemon, options.quiet());
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

  private void connect(Invocation invocation, GlobalOptions options) {
    String failed = "failed to connect to the hypervisor";
    String uri = options.uri().orElse(SYSTEM);
    if (!uri.equals(SYSTEM)) {
      throw new VirshFailure(failed, "no connection driver available for " + uri);
    }
    if (!daemon.isUp()) {
      throw new VirshFailure(failed, SOCKET.formatted("No such file or directory"));
    }
    if (!List.of(Invocation.ROOT, Invocation.MEMBER).contains(invocation.user())) {
      throw new VirshFailure(failed, SOCKET.formatted("Permission denied"));
    }
  }

  private void help(VirshSession session) throws IOException {
    session.print("Commands here: %s\n", String.join(", ", commands.keySet()));
  }

  /**
   * The options before the command's name.
   *
   * @param words the command and its arguments
   */
  private record GlobalOptions(Optional<String> uri, boolean quiet, List<String> words) {

    static GlobalOptions read(List<String> arguments) {
      Optional<String> uri = Optional.empty();
      boolean quiet = false;
      int at = 0;
      while (at < arguments.size() && arguments.get(at).startsWith("-")) {
        String word = arguments.get(at++);
        if (word.matches("-c|--connect") && at < arguments.size()) {
          uri = Optional.of(arguments.get(at++));
        } else if (word.matches("-q|--quiet")) {
          quiet = true;
        } else {
          throw new VirshFailure("unsupported option '" + word + "'. See --help.");
        }
      }
      return new GlobalOptions(uri, quiet, arguments.subList(at, arguments.size()));
    }
  }

  /** A failed command. Each message is one line of standard error. */
  static final class VirshFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> messages;

    VirshFailure(String... messages) {
      super(String.join("\n", messages), null, false, false);
      this.messages = List.of(messages);
    }

    List<String> messages() {
      return messages;
    }
  }

  /** One command of virsh. */
  record VirshCommand(String name, List<VshOption> options, Body body) {

    /** The action of a command. Failures are exceptions. */
    @FunctionalInterface
    interface Body {
      void run(VirshSession session, VshArguments arguments)
          throws IOException, InterruptedException;
    }

    static VirshCommand of(String name, Body body, VshOption... options) {
      return new VirshCommand(name, List.of(options), body);
    }

    /**
     * Returns a command on the running guest, its configuration or both, as its last options say.
     */
    static VirshCommand withImpact(String name, Body body, VshOption... options) {
      return of(
          name,
          body,
          Stream.concat(Stream.of(options), Impact.OPTIONS.stream()).toArray(VshOption[]::new));
    }
  }

  /** {@code virsh event}: prints the events of all guests, one or until it is interrupted. */
  private static final class EventCommand {
    private static final DateTimeFormatter TIME =
        DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS'+0000'").withZone(ZoneOffset.UTC);

    private EventCommand() {}

    static VirshCommand command() {
      return VirshCommand.of(
          "event",
          EventCommand::run,
          VshOption.flag("all"),
          VshOption.flag("loop"),
          VshOption.flag("timestamp"));
    }

    private static void run(VirshSession session, VshArguments arguments)
        throws IOException, InterruptedException {
      if (!arguments.has("all")) {
        throw new VirshFailure("virsh event without --all is not modelled by this lab");
      }
      Libvirtd daemon = session.daemon();
      int first = daemon.events();
      int known = first;
      try {
        do {
          List<String> events = daemon.eventsAfter(known);
          known += events.size();
          for (String event : events) {
            session.print(
                "%s",
                arguments.has("timestamp")
                    ? TIME.format(Clock.systemUTC().instant()) + ": " + event
                    : event);
          }
        } while (arguments.has("loop"));
      } catch (InterruptedException interrupted) {
        session.print("event loop interrupted\n");
      }
      session.print("events received: %d\n", known - first);
    }
  }

  /** Commands that show the host. */
  private record HostInfo(int megahertz, long memoryKib) {
    private static final String LINE = "%-20s %s\n";

    List<VirshCommand> commands() {
      return List.of(
          VirshCommand.of("version", HostInfo::version, VshOption.flag("daemon")),
          VirshCommand.of("nodeinfo", (session, arguments) -> node(session)));
    }

    private static void version(VirshSession session, VshArguments arguments) throws IOException {
      session.print(
          """
          Compiled against library: libvirt 9.0.0
          Using library: libvirt 9.0.0
          Using API: QEMU 9.0.0
          Running hypervisor: QEMU 7.2.22
          """);
      if (arguments.has("daemon")) {
        session.print("Running against daemon: 9.0.0\n");
      }
    }

    private void node(VirshSession session) throws IOException {
      int pcpus = session.daemon().pcpus();
      session.print(LINE, "CPU model:", "x86_64");
      session.print(LINE, "CPU(s):", pcpus);
      session.print(LINE, "CPU frequency:", megahertz + " MHz");
      session.print(LINE, "CPU socket(s):", 1);
      session.print(LINE, "Core(s) per socket:", pcpus);
      session.print(LINE, "Thread(s) per core:", 1);
      session.print(LINE, "NUMA cell(s):", 1);
      session.print(LINE, "Memory size:", memoryKib + " KiB");
    }
  }

  /** {@code list}: prints guests as a table, or their names, UUIDs or ids, one per line. */
  private static final class GuestList {
    private GuestList() {}

    static VirshCommand command() {
      return VirshCommand.of(
          "list",
          GuestList::run,
          VshOption.flag("inactive"),
          VshOption.flag("all"),
          VshOption.flag("uuid"),
          VshOption.flag("name"),
          VshOption.flag("id"));
    }

    private static void run(VirshSession session, VshArguments arguments) throws IOException {
      List<LibvirtGuest> guests =
          session.daemon().guests().stream().filter(guest -> wanted(arguments, guest)).toList();
      if (arguments.has("uuid") || arguments.has("name") || arguments.has("id")) {
        for (LibvirtGuest guest : guests) {
          plain(session, arguments, guest);
        }
        return;
      }
      String table = table(guests, session.quiet());
      session.print("%s", session.isAscii() ? escaped(table) : table);
    }

    /** virsh takes each byte for a signed number and prints the first two digits of it. */
    private static String escaped(String text) {
      return Pattern.compile("[^\\x00-\\x7f]")
          .matcher(text)
          .replaceAll(odd -> "\\\\xff".repeat(odd.group().getBytes(StandardCharsets.UTF_8).length));
    }

    private static void plain(VirshSession session, VshArguments arguments, LibvirtGuest guest)
        throws IOException {
      String id = guest.life().map(life -> String.valueOf(life.id())).orElse("");
      if (arguments.has("id") && !arguments.has("uuid") && !arguments.has("name")) {
        if (!id.isEmpty()) {
          session.print("%s\n", id);
        }
      } else if (arguments.has("uuid") && arguments.has("name")) {
        session.print("%s %s\n", guest.uuid(), guest.name());
      } else {
        session.print("%s\n", arguments.has("uuid") ? guest.uuid() : guest.name());
      }
    }

    private static String table(List<LibvirtGuest> guests, boolean quiet) {
      VshTable table = new VshTable("Id", "Name", "State");
      for (LibvirtGuest guest : guests) {
        table.add(
            guest.life().map(life -> String.valueOf(life.id())).orElse("-"),
            guest.name(),
            guest.state().text());
      }
      String text = table.text();
      return quiet ? text.split("\n", 3)[2] : text;
    }

    private static boolean wanted(VshArguments arguments, LibvirtGuest guest) {
      return arguments.has("all") || guest.life().isEmpty() == arguments.has("inactive");
    }
  }
}
