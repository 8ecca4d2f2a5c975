package io.slicewise.lab.shell;

import io.slicewise.lab.shell.ScriptParser.ShellSyntaxException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The control domain's shell: runs scripts and starts the tools that they name.
 *
 * @param tools by name; may still grow, since tools that start other tools are created afterwards
 */
public record Shell(Map<String, Program> tools, HostFiles files, ProcessTable processes)
    implements Program {
  private static final int USAGE = 2;
  private static final int NOT_FOUND = 127;

  /** Ends all processes that still run. */
  public void killAll() {
    processes.killAll();
  }

  /** Returns the program with a name or an absolute path. */
  public Optional<Program> find(String program) {
    boolean path =
        program.startsWith("/usr/") || program.startsWith("/bin/") || program.startsWith("/sbin/");
    String name = path ? program.substring(program.lastIndexOf('/') + 1) : program;
    return Optional.ofNullable(tools.get(name));
  }

  /** Runs a command line, the only word of the invocation. */
  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    return script(invocation, invocation.words().get(0), List.of("bash"));
  }

  /** {@code sh -c SCRIPT [NAME [PARAMETER…]]} or {@code sh FILE [PARAMETER…]}. */
  public int sh(Invocation invocation) throws IOException, InterruptedException {
    List<String> arguments = invocation.arguments();
    if (!arguments.isEmpty() && !arguments.get(0).startsWith("-")) {
      return file(invocation, arguments);
    }
    if (arguments.size() < 2 || !arguments.get(0).equals("-c")) {
      invocation.complain("sh: only sh -c SCRIPT and sh FILE are supported by this host's shell\n");
      return USAGE;
    }
    List<String> parameters = new ArrayList<>(arguments.subList(2, arguments.size()));
    if (parameters.isEmpty()) {
      parameters.add("sh");
    }
    return script(invocation, arguments.get(1), parameters);
  }

  private int file(Invocation invocation, List<String> words)
      throws IOException, InterruptedException {
    String path = words.get(0);
    if (!Files.isRegularFile(files.locate(invocation.path(path)))) {
      invocation.complain("sh: 0: cannot open %s: No such file\n", path);
      return USAGE;
    }
    return new ScriptProcess(this, invocation, words).run();
  }

  private int script(Invocation invocation, String text, List<String> parameters)
      throws IOException, InterruptedException {
    try {
      Script script = ScriptParser.parse(text);
      return new Interpreter(this, parameters, invocation, processes.current()).run(script);
    } catch (ShellSyntaxException refused) {
      invocation.complain("bash: line 1: %s\n", refused.getMessage());
      return USAGE;
    }
  }

  /** Starts the tool named by the first word. */
  public int start(Invocation invocation) throws IOException, InterruptedException {
    List<String> words = invocation.words();
    Optional<Program> tool = find(words.get(0));
    if (tool.isEmpty()) {
      boolean path = words.get(0).contains("/");
      invocation.complain(
          "bash: line 1: %s: %s\n",
          words.get(0), path ? "No such file or directory" : "command not found");
      return NOT_FOUND;
    }
    return processes.run(tool.get(), invocation);
  }
}
