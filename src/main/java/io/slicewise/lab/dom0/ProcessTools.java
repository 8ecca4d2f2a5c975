package io.slicewise.lab.dom0;

import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.ProcessTable;
import io.slicewise.lab.shell.ProcessTable.HostProcess;
import io.slicewise.lab.shell.Program;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** {@code pgrep}, {@code pkill} and {@code kill}. A process never matches itself. */
public record ProcessTools(ProcessTable processes) {
  private static final int TERM = 15;

  public Map<String, Program> tools() {
    return Map.of("pgrep", this::pgrep, "pkill", this::pkill, "kill", this::kill);
  }

  private int pgrep(Invocation invocation) throws IOException {
    Getopt options = Getopt.parse(invocation.arguments(), "lxfa", "");
    List<HostProcess> found = matching(options);
    for (HostProcess process : found) {
      String named = options.has('l') ? " " + process.name() : "";
      String told = options.has('a') ? " " + process.commandLine() : named;
      invocation.print("%d%s\n", process.pid(), told);
    }
    return found.isEmpty() ? 1 : 0;
  }

  private int pkill(Invocation invocation) {
    List<String> arguments = new ArrayList<>(invocation.arguments());
    int signal = takeSignal(arguments);
    List<HostProcess> found = matching(Getopt.parse(arguments, "xf", ""));
    found.forEach(process -> processes.signal(process.pid(), signal));
    return found.isEmpty() ? 1 : 0;
  }

  private int kill(Invocation invocation) throws IOException {
    List<String> arguments = new ArrayList<>(invocation.arguments());
    int signal = takeSignal(arguments);
    int status = 0;
    for (String pid : arguments) {
      if (!pid.matches("\\d{1,9}") || !processes.signal(Integer.parseInt(pid), signal)) {
        invocation.complain("bash: line 1: kill: (%s) - No such process\n", pid);
        status = 1;
      }
    }
    return status;
  }

  private static int takeSignal(List<String> arguments) {
    if (arguments.isEmpty() || !arguments.get(0).matches("-([A-Z]+|\\d+|s)")) {
      return TERM;
    }
    return arguments.get(0).equals("-s") && arguments.size() > 1
        ? ProcessTable.number(arguments.remove(1))
        : ProcessTable.number(arguments.remove(0).substring(1));
  }

  private List<HostProcess> matching(Getopt options) {
    if (options.operands().isEmpty()) {
      return List.of();
    }
    Pattern pattern = Pattern.compile(options.operands().get(0));
    return processes.processes().stream()
        .filter(
            process -> !List.of("pgrep", "pkill", "kill", "sh", "sudo").contains(process.name()))
        .filter(
            process -> {
              String text = options.has('f') ? process.commandLine() : process.name();
              return options.has('x')
                  ? pattern.matcher(text).matches()
                  : pattern.matcher(text).find();
            })
        .toList();
  }
}
