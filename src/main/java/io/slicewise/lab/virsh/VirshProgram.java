package io.slicewise.lab.virsh;

import io.slicewise.lab.libvirt.LibvirtError;
import io.slicewise.lab.libvirt.Libvirtd;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
}
