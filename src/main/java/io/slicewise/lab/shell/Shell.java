package io.slicewise.lab.shell;

import io.slicewise.lab.shell.ScriptParser.ShellSyntaxException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;

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

  /**
   * A script file of the host, run by the real machine's {@code sh} in the host's directory. The
   * programs that act on the host are small scripts before all others in its PATH; each leaves its
   * words in a directory and waits for the answer of the host's own program.
   *
   * @param words the script's path on the host and its arguments
   */
  private record ScriptProcess(Shell shell, Invocation invocation, List<String> words) {
    private static final int NOT_FOUND = 127;
    private static final long WAIT_MILLIS = 50;

    /**
     * Programs of the host that the script must not find on the real machine. A {@code sh -c} of
     * the script acts on the host's files.
     */
    private static final Set<String> HOST_PROGRAMS = Set.of("xl", "xm", "virsh", "sudo", "sh");

    /** Programs that know the host's links, which are not on the real machine's disk. */
    private static final Set<String> LINK_PROGRAMS = Set.of("readlink", "ln", "rm");

    private static final String CALL =
        """
        #!/bin/sh
        PATH=$SLICEWISE_LAB_PATH
        %s
        call=$SLICEWISE_LAB_CALLS/$$
        mkdir "$call" || exit 126
        number=0
        for word in %s "$@"; do
          printf '%%s' "$word" >"$call/$number"
          number=$((number + 1))
        done
        mv "$call" "$call.call"
        while [ ! -e "$call.call/status" ]; do
          kill -0 "$SLICEWISE_LAB_PID" || exit 126
          sleep 0.02
        done
        cat "$call.call/output"
        cat "$call.call/errors" >&2
        read -r status <"$call.call/status"
        mv "$call.call" "$call.done"
        rm -rf "$call.done"
        exit "$status"
        """;
    private static final String ELSEWHERE =
        "case \" $* \" in *\" /var/run/\"*) ;; *) exec %s \"$@\" ;; esac";

    ScriptProcess {
      words = List.copyOf(words);
    }

    int run() throws IOException, InterruptedException {
      Path directory = Files.createTempDirectory(shell.files().root().getParent(), "calls-");
      try (WatchService watch = FileSystems.getDefault().newWatchService()) {
        Path calls = Files.createDirectory(directory.resolve("calls"));
        calls.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
        Process process;
        try {
          process = start(directory, calls);
        } catch (IOException missing) {
          invocation.complain("sh: %s\n", missing.getMessage());
          return NOT_FOUND;
        }
        try {
          return serve(process, calls, watch);
        } finally {
          List<ProcessHandle> children = process.descendants().toList();
          process.destroyForcibly();
          children.forEach(ProcessHandle::destroyForcibly);
        }
      } finally {
        FileUtils.deleteQuietly(directory.toFile());
      }
    }

    private Process start(Path directory, Path calls) throws IOException {
      List<String> command = new ArrayList<>(List.of("/bin/sh"));
      command.add(shell.files().locate(invocation.path(words.get(0))).toString());
      command.addAll(words.subList(1, words.size()));
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(shell.files().root().toFile())
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
      Map<String, String> environment = builder.environment();
      String path = environment.getOrDefault("PATH", "/usr/bin:/bin");
      environment.put("PATH", programs(directory) + ":" + path);
      environment.put("SLICEWISE_LAB_PATH", path);
      environment.put("SLICEWISE_LAB_CALLS", calls.toString());
      environment.put("SLICEWISE_LAB_PID", Long.toString(ProcessHandle.current().pid()));
      return builder.start();
    }

    private Path programs(Path directory) throws IOException {
      Path programs = Files.createDirectory(directory.resolve("bin"));
      for (String name : HOST_PROGRAMS) {
        if (shell.find(name).isPresent()) {
          write(programs.resolve(name), CALL.formatted("", name));
        }
      }
      for (String name : LINK_PROGRAMS) {
        write(programs.resolve(name), CALL.formatted(ELSEWHERE.formatted(name), name));
      }
      return programs;
    }

    private static void write(Path program, String text) throws IOException {
      Files.writeString(program, text);
      if (!program.toFile().setExecutable(true)) {
        throw new IOException(program + " cannot be made executable");
      }
    }

    private int serve(Process process, Path calls, WatchService watch)
        throws IOException, InterruptedException {
      Thread output = copy(process.getInputStream(), invocation.output());
      Thread errors = copy(process.getErrorStream(), invocation.errors());
      while (process.isAlive()) {
        var key = watch.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS);
        if (key != null) {
          key.pollEvents();
          key.reset();
        }
        answerAll(calls);
      }
      output.join();
      errors.join();
      return process.exitValue();
    }

    private void answerAll(Path calls) throws IOException, InterruptedException {
      List<Path> waiting;
      try (Stream<Path> all = Files.list(calls)) {
        waiting =
            all.filter(one -> one.toString().endsWith(".call"))
                .filter(one -> !Files.exists(one.resolve("status")))
                .toList();
      }
      for (Path call : waiting) {
        answer(call);
      }
    }

    private void answer(Path call) throws IOException, InterruptedException {
      List<String> called = new ArrayList<>();
      for (int i = 0; Files.exists(call.resolve(Integer.toString(i))); i++) {
        called.add(Files.readString(call.resolve(Integer.toString(i))));
      }
      if (called.isEmpty()) {
        return; // The program took its answer and ended after the calls were listed.
      }
      ByteArrayOutputStream output = new ByteArrayOutputStream();
      ByteArrayOutputStream errors = new ByteArrayOutputStream();
      int status =
          shell.start(
              new Invocation(
                  called, InputStream.nullInputStream(), output, errors, invocation.environment()));
      Files.write(call.resolve("output"), output.toByteArray());
      Files.write(call.resolve("errors"), errors.toByteArray());
      Path written = Files.writeString(call.resolve("written"), status + "\n");
      Files.move(written, call.resolve("status"), StandardCopyOption.ATOMIC_MOVE);
    }

    private static Thread copy(InputStream from, OutputStream to) {
      Thread thread =
          new Thread(
              () -> {
                try (from) {
                  from.transferTo(to);
                  to.flush();
                } catch (IOException gone) {
                  // The caller no longer reads; the script goes on, as on a real host.
                }
              },
              "lab-script-output");
      thread.setDaemon(true);
      thread.start();
      return thread;
    }
  }
}
