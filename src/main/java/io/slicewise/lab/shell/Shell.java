package io.slicewise.lab.shell;

import io.slicewise.lab.shell.ShellLine.Redirection;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs one line: finds the tool, connects its streams, starts it. */
public final class Shell implements Tool {
  private static final int USAGE = 2;
  private static final int NOT_FOUND = 127;

  private final Map<String, Tool> tools;
  private final HostFiles files;
  private final ProcessTable processes;

  /** The map may still grow: tools that start other tools are made after the shell. */
  public Shell(Map<String, Tool> tools, HostFiles files, ProcessTable processes) {
    this.tools = tools;
    this.files = files;
    this.processes = processes;
  }

  /** The program that a name or an absolute path stands for. */
  public Optional<Tool> find(String program) {
    boolean path =
        program.startsWith("/usr/") || program.startsWith("/bin/") || program.startsWith("/sbin/");
    String name = path ? program.substring(program.lastIndexOf('/') + 1) : program;
    return Optional.ofNullable(tools.get(name));
  }

  /** The one word of the invocation is the line. */
  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    try {
      return run(ShellLine.parse(invocation.words().get(0)), invocation);
    } catch (ShellSyntaxException refused) {
      invocation.complain("bash: line 1: %s\n", refused.getMessage());
      return USAGE;
    }
  }

  /** Runs a line already split. */
  public int run(ShellLine line, Invocation invocation) throws IOException, InterruptedException {
    return line.words().isEmpty() ? 0 : redirected(line, invocation);
  }

  private int redirected(ShellLine line, Invocation caller)
      throws IOException, InterruptedException {
    try (OutputStream output = opened(line.output(), caller.output());
        OutputStream errors =
            line.merged() ? new Unclosed(output) : opened(line.errors(), caller.errors())) {
      return start(new Invocation(line.words(), output, errors));
    } catch (DiskFullException noRoom) {
      caller.complain("bash: line 1: %s\n", noRoom.getMessage());
      return 1;
    } catch (NoSuchFileException missing) {
      caller.complain("bash: line 1: %s: No such file or directory\n", missing.getMessage());
      return 1;
    }
  }

  private OutputStream opened(Optional<Redirection> redirection, OutputStream otherwise)
      throws IOException {
    return redirection.isPresent()
        ? files.open(redirection.get().file(), redirection.get().append())
        : new Unclosed(otherwise);
  }

  /** Starts the tool that the first word names. */
  public int start(Invocation invocation) throws IOException, InterruptedException {
    List<String> words = invocation.words();
    Optional<Tool> tool = find(words.get(0));
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
