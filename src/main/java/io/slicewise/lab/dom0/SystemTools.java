package io.slicewise.lab.dom0;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.host.MachineIdentity;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import io.slicewise.lab.shell.Shell;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Programs that report users and directories, and programs that start other programs. */
public record SystemTools(MachineIdentity identity, Shell shell, Clock clock) {
  private static final String INVALID_DATE = "only +%s and +%s.%N are known here";

  public Map<String, Program> tools() {
    return Map.ofEntries(
        Map.entry("true", invocation -> 0),
        Map.entry("false", invocation -> 1),
        Map.entry("id", this::id),
        Map.entry("uname", this::uname),
        Map.entry("hostname", invocation -> print(invocation, identity.name())),
        Map.entry("date", this::date),
        Map.entry(
            "echo", invocation -> print(invocation, String.join(" ", invocation.arguments()))),
        Map.entry("which", this::which),
        Map.entry("command", this::command),
        Map.entry("sudo", this::sudo),
        Map.entry("env", this::env),
        Map.entry("sh", shell::sh),
        Map.entry("bash", shell::sh),
        Map.entry("setsid", this::setsid));
  }

  private static int print(Invocation invocation, String text) throws IOException {
    invocation.print("%s\n", text);
    return 0;
  }

  private int id(Invocation invocation) throws IOException {
    String user = invocation.user();
    boolean root = user.equals(Invocation.ROOT);
    boolean member = user.equals(Invocation.MEMBER);
    int number = root ? 0 : member ? 1001 : 1002;
    if (invocation.arguments().contains("-un")) {
      return print(invocation, user);
    }
    if (invocation.arguments().contains("-u")) {
      return print(invocation, String.valueOf(number));
    }
    String own = number + "(" + user + ")";
    return print(
        invocation,
        "uid=%s gid=%s groups=%s%s".formatted(own, own, own, member ? ",995(libvirt)" : ""));
  }

  private int uname(Invocation invocation) throws IOException {
    String all =
        "Linux %s %s %s x86_64 GNU/Linux"
            .formatted(identity.name(), identity.release(), identity.kernel());
    return switch (String.join(" ", invocation.arguments())) {
      case "" -> print(invocation, "Linux");
      case "-r" -> print(invocation, identity.release());
      case "-a" -> print(invocation, all);
      default -> {
        invocation.complain("uname: only -r and -a are known here\n");
        yield 1;
      }
    };
  }

  private int date(Invocation invocation) throws IOException {
    Instant now = clock.instant();
    String format = invocation.arguments().isEmpty() ? "" : invocation.arguments().get(0);
    return switch (format) {
      case "+%s" -> print(invocation, String.valueOf(now.getEpochSecond()));
      case "+%s.%N" -> print(invocation, Phrase.of("%d.%09d", now.getEpochSecond(), now.getNano()));
      case "+%s%N" -> print(invocation, Phrase.of("%d%09d", now.getEpochSecond(), now.getNano()));
      case "" ->
          print(
              invocation,
              DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss 'UTC' yyyy", Locale.ROOT)
                  .withZone(ZoneOffset.UTC)
                  .format(now));
      default -> {
        invocation.complain("date: %s\n", INVALID_DATE);
        yield 1;
      }
    };
  }

  private int which(Invocation invocation) throws IOException {
    int status = 0;
    for (String name : invocation.arguments()) {
      if (shell.find(name).isPresent()) {
        invocation.print("/usr/sbin/%s\n", name.substring(name.lastIndexOf('/') + 1));
      } else {
        status = 1;
      }
    }
    return status;
  }

  private int command(Invocation invocation) throws IOException, InterruptedException {
    List<String> arguments = invocation.arguments();
    if (!arguments.isEmpty() && arguments.get(0).equals("-v")) {
      return which(invocation.withWords(arguments));
    }
    return arguments.isEmpty() ? 0 : shell.start(invocation.withWords(arguments));
  }

  /** Runs a program; a session of its own makes no difference here. */
  private int setsid(Invocation invocation) throws IOException, InterruptedException {
    return shell.start(invocation.withWords(invocation.arguments()));
  }

  private int sudo(Invocation invocation) throws IOException, InterruptedException {
    List<String> arguments = invocation.arguments();
    while (!arguments.isEmpty()
        && (arguments.get(0).equals("-n") || arguments.get(0).equals("--"))) {
      arguments = arguments.subList(1, arguments.size());
    }
    if (!invocation.user().equals(Invocation.ROOT)) {
      invocation.complain("sudo: a password is required\n");
      return 1;
    }
    if (arguments.isEmpty()) {
      invocation.complain("usage: sudo -n command\n");
      return 1;
    }
    if (shell.find(arguments.get(0)).isEmpty()) {
      invocation.complain("sudo: %s: command not found\n", arguments.get(0));
      return 1;
    }
    return shell.start(invocation.withWords(arguments));
  }

  private int env(Invocation invocation) throws IOException, InterruptedException {
    List<String> arguments = invocation.arguments();
    Map<String, String> variables = new HashMap<>();
    while (!arguments.isEmpty() && arguments.get(0).matches("[A-Za-z_][A-Za-z0-9_]*=.*")) {
      String[] pair = arguments.get(0).split("=", 2);
      variables.put(pair[0], pair[1]);
      arguments = arguments.subList(1, arguments.size());
    }
    return arguments.isEmpty() ? 0 : shell.start(invocation.with(variables).withWords(arguments));
  }
}
