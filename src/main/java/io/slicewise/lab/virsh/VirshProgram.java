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
      "Failed to connect socket to '/var/run/libvirt/libvirt-sock%s': %s";
  private static final String SYSTEM = "qemu:///system";

  /** Commands that need no connection. */
  private static final Set<String> LOCAL = Set.of("echo", "help");

  private final Libvirtd daemon;
  private final Map<String, VirshCommand> commands = new LinkedHashMap<>();

  public VirshProgram(Libvirtd daemon, String hostname, int megahertz, long memoryKib) {
    this.daemon = daemon;
    add(
        List.of(
            GuestList.command(),
            SchedInfoCommand.command(),
            SchedInfoCommand.ofDisks(),
            EditCommand.command(),
            EventCommand.command(),
            StatsCommand.command()));
    add(GuestInfo.commands());
    add(PinCommands.commands());
    add(Lives.commands());
    add(new HostInfo(hostname, megahertz, memoryKib).commands());
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
      throw new VirshFailure("unknown command: '" + name + "'");
    }
    return new Call(
        command, VshArguments.read(name, command.options(), words.subList(1, words.size())));
  }

  private int run(Invocation invocation, GlobalOptions options, Call call)
      throws IOException, InterruptedException {
    try {
      boolean local = LOCAL.contains(call.command().name());
      boolean system = local || connect(invocation, options);
      VirshSession session =
          new VirshSession(invocation, daemon, system, options.quiet(), options.readOnly());
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

  private void help(VirshSession session) throws IOException {
    session.print("Commands here: %s\n", String.join(", ", commands.keySet()));
  }

  /**
   * Several commands in one argument, as virsh reads them: words separated by blanks, with quotes
   * and backslashes, and commands separated by semicolons and line ends.
   */
  private static final class CommandString {
    private final String text;
    private final List<List<String>> commands = new ArrayList<>();
    private List<String> words = new ArrayList<>();
    private int at;

    private CommandString(String text) {
      this.text = text;
    }

    /** Returns the words of each command. */
    static List<List<String>> parse(String text) {
      CommandString read = new CommandString(text);
      read.read();
      return read.commands;
    }

    private void read() {
      while (at < text.length()) {
        char c = text.charAt(at);
        if (c == ';' || c == '\n') {
          at++;
          end();
        } else if (c == '#') {
          at = Math.max(at, (text + "\n").indexOf('\n', at));
        } else if (Character.isWhitespace(c)) {
          at++;
        } else {
          words.add(word());
        }
      }
      end();
    }

    private void end() {
      if (!words.isEmpty()) {
        commands.add(words);
        words = new ArrayList<>();
      }
    }

    private String word() {
      StringBuilder word = new StringBuilder();
      char quote = 0;
      while (at < text.length()) {
        char c = text.charAt(at);
        if (quote == 0 && (Character.isWhitespace(c) || c == ';')) {
          return word.toString();
        }
        at++;
        if (quote == 0 && (c == '\'' || c == '"')) {
          quote = c;
        } else if (c == quote) {
          quote = 0;
        } else if (c == '\\' && quote != '\'') {
          if (at == text.length()) {
            throw new VirshFailure("dangling \\");
          }
          word.append(text.charAt(at++));
        } else {
          word.append(c);
        }
      }
      if (quote == '"') {
        throw new VirshFailure("missing \"");
      }
      return word.toString();
    }
  }

  /**
   * The options before the command's name.
   *
   * @param words the command and its arguments
   */
  private record GlobalOptions(
      Optional<String> uri, boolean quiet, boolean readOnly, boolean version, List<String> words) {

    static GlobalOptions read(List<String> arguments) {
      Optional<String> uri = Optional.empty();
      boolean quiet = false;
      boolean readOnly = false;
      boolean version = false;
      int at = 0;
      while (at < arguments.size() && arguments.get(at).startsWith("-")) {
        String word = arguments.get(at++);
        if (word.equals("-c") || word.equals("--connect")) {
          if (at == arguments.size()) {
            throw new VirshFailure("option '" + word + "' requires an argument");
          }
          uri = Optional.of(arguments.get(at++));
        } else if (word.startsWith("--connect=")) {
          uri = Optional.of(word.substring("--connect=".length()));
        } else if (word.equals("--quiet")
            || word.equals("--readonly")
            || word.equals("--version")) {
          quiet |= word.equals("--quiet");
          readOnly |= word.equals("--readonly");
          version |= word.equals("--version");
        } else if (word.matches("-[qrv]+")) {
          quiet |= word.contains("q");
          readOnly |= word.contains("r");
          version |= word.contains("v");
        } else {
          throw new VirshFailure("unsupported option '" + word + "'. See --help.");
        }
      }
      return new GlobalOptions(
          uri,
          quiet,
          readOnly,
          version,
          arguments.subList(Math.min(at, arguments.size()), arguments.size()));
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
  private record HostInfo(String hostname, int megahertz, long memoryKib) {
    private static final String LINE = "%-20s %s\n";

    List<VirshCommand> commands() {
      return List.of(
          VirshCommand.of("version", HostInfo::version, VshOption.flag("daemon")),
          VirshCommand.of(
              "uri",
              (session, arguments) ->
                  session.print(session.system() ? "qemu:///system\n" : "qemu:///session\n")),
          VirshCommand.of("hostname", (session, arguments) -> session.print("%s\n", hostname)),
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
          session.guests().stream().filter(guest -> wanted(arguments, guest)).toList();
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
