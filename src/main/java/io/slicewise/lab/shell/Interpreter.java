package io.slicewise.lab.shell;

import io.slicewise.lab.shell.HostFiles.DiskFullException;
import io.slicewise.lab.shell.HostFiles.WriteRefusedException;
import io.slicewise.lab.shell.Script.Word;
import io.slicewise.lab.shell.ScriptParser.ShellSyntaxException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Runs a script as one process of the host, with its own variables and streams. Subshells, parts of
 * pipelines and background commands are further processes, with threads of their own if they run
 * concurrently.
 */
final class Interpreter {
  static final int SIGPIPE = 141;

  private final Shell shell;
  private final Map<String, String> variables;
  private final Map<String, String> environment;
  private final Streams streams;
  private final Builtins builtins;
  private final List<String> parameters;
  private int pid;
  private int status;
  private int background;

  /** Ends a script early: by {@code exit}, or by a program that replaced the shell. */
  static final class Exit extends Exception {
    private static final long serialVersionUID = 1L;
    private final int code;

    Exit(int code) {
      super("exit", null, false, false);
      this.code = code;
    }
  }

  Interpreter(Shell shell, List<String> parameters, Invocation invocation, int pid) {
    this(
        shell,
        new HashMap<>(invocation.environment()),
        new HashMap<>(invocation.environment()),
        parameters,
        Streams.of(invocation),
        pid);
  }

  private Interpreter(
      Shell shell,
      Map<String, String> variables,
      Map<String, String> environment,
      List<String> parameters,
      Streams streams,
      int pid) {
    this.shell = shell;
    this.variables = variables;
    this.environment = environment;
    this.parameters = List.copyOf(parameters);
    this.streams = streams;
    this.pid = pid;
    builtins = new Builtins(this, shell);
  }

  /** Runs a script to its end and returns the exit status. */
  int run(Script script) throws IOException, InterruptedException {
    try {
      return execute(script);
    } catch (Exit exit) {
      return exit.code;
    }
  }

  private int execute(Script script) throws IOException, InterruptedException, Exit {
    status = value(script);
    return status;
  }

  private int value(Script script) throws IOException, InterruptedException, Exit {
    if (script instanceof Script.Sequence sequence) {
      int last = 0;
      for (Script part : sequence.parts()) {
        last = execute(part);
      }
      return last;
    } else if (script instanceof Script.Chain chain) {
      int first = execute(chain.first());
      return (first == 0) == chain.onSuccess() ? execute(chain.next()) : first;
    } else if (script instanceof Script.Not not) {
      return execute(not.command()) == 0 ? 1 : 0;
    } else if (script instanceof Script.If choice) {
      return execute(execute(choice.condition()) == 0 ? choice.then() : choice.otherwise());
    } else if (script instanceof Script.While loop) {
      return loop(loop);
    } else if (script instanceof Script.For loop) {
      return loop(loop);
    } else if (script instanceof Script.Case choice) {
      return choose(choice);
    } else if (script instanceof Script.Group group) {
      return group.subshell()
          ? child(streams.copy(), builtins.process()).run(group.body())
          : execute(group.body());
    } else if (script instanceof Script.Background started) {
      return start(started.command());
    } else if (script instanceof Script.Pipeline pipeline) {
      return pipe(pipeline.parts());
    } else if (script instanceof Script.Redirected redirected) {
      return redirect(redirected);
    }
    return simple(((Script.Simple) script).words());
  }

  private int loop(Script.While loop) throws IOException, InterruptedException, Exit {
    int last = 0;
    while (execute(loop.condition()) == 0) {
      last = execute(loop.body());
      throwIfKilled();
    }
    return last;
  }

  private int loop(Script.For loop) throws IOException, InterruptedException, Exit {
    List<String> values =
        loop.words().isPresent()
            ? expand(loop.words().get())
            : parameters.subList(1, parameters.size());
    int last = 0;
    for (String value : values) {
      variables.put(loop.name(), value);
      last = execute(loop.body());
      throwIfKilled();
    }
    return last;
  }

  private static void throwIfKilled() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  private int choose(Script.Case choice) throws IOException, InterruptedException, Exit {
    Expansion expansion = new Expansion(this, shell.files());
    String subject = expansion.text(choice.subject());
    for (Script.Case.Branch branch : choice.branches()) {
      for (Word pattern : branch.patterns()) {
        if (expansion.pattern(pattern).matcher(subject).matches()) {
          return execute(branch.body());
        }
      }
    }
    return 0;
  }

  /** Returns a child with copies of the variables: made by the process that may change them. */
  private Interpreter child(Streams own, int number) {
    return new Interpreter(
            shell, new HashMap<>(variables), new HashMap<>(environment), parameters, own, pid)
        .as(number);
  }

  private Interpreter as(int number) {
    builtins.processIs(number);
    return this;
  }

  private int start(Script script) {
    Streams own = streams.copy();
    own.input(0, InputStream.nullInputStream());
    List<String> words = List.of("sh");
    Interpreter child = child(own, 0);
    background = shell.processes().start(words, number -> child.as(number).run(script));
    return 0;
  }

  private int pipe(List<Script> parts) throws IOException, InterruptedException {
    InputStream input = streams.in(0);
    List<CompletableFuture<Integer>> running = new ArrayList<>();
    for (Script part : parts.subList(0, parts.size() - 1)) {
      PipedOutputStream output = new PipedOutputStream();
      PipedInputStream next = new PipedInputStream(output, 1 << 16);
      Streams own = streams.copy();
      own.input(0, input);
      own.output(1, output);
      running.add(inThread(part, own, output, input));
      input = next;
    }
    Streams own = streams.copy();
    own.input(0, input);
    try (InputStream last = input) {
      return child(own, builtins.process()).run(parts.get(parts.size() - 1));
    } finally {
      running.forEach(CompletableFuture::join);
    }
  }

  private CompletableFuture<Integer> inThread(
      Script part, Streams own, OutputStream output, InputStream input) {
    CompletableFuture<Integer> result = new CompletableFuture<>();
    Interpreter child = child(own, 0);
    shell
        .processes()
        .start(
            List.of("sh"),
            number -> {
              int code = SIGPIPE;
              try (output) {
                code = child.as(number).run(part);
              } catch (IOException brokenPipe) {
                // The reader (such as head) has stopped reading, and the command ends as if by
                // SIGPIPE.
              } finally {
                if (input != streams.in(0)) {
                  input.close();
                }
                result.complete(code);
              }
              return code;
            });
    return result;
  }

  private int redirect(Script.Redirected redirected)
      throws IOException, InterruptedException, Exit {
    Streams before = streams.copy();
    List<OutputStream> opened = new ArrayList<>();
    boolean lasting =
        redirected.command() instanceof Script.Simple simple
            && simple.words().stream().map(Word::plain).toList().equals(List.of("exec"));
    try {
      for (Script.Redirection redirection : redirected.redirections()) {
        String target = new Expansion(this, shell.files()).text(redirection.target());
        try {
          streams.redirect(redirection, path(redirection, target), shell.files(), opened);
        } catch (NoSuchFileException missing) {
          before.complain("bash: line 1: " + target + ": No such file or directory\n");
          return 1;
        }
        if (forbidden(redirection, target)) {
          before.complain("bash: line 1: " + target + ": Permission denied\n");
          return 1;
        }
      }
      return execute(redirected.command());
    } catch (DiskFullException | WriteRefusedException refused) {
      before.complain("bash: line 1: " + refused.getMessage() + "\n");
      return 1;
    } finally {
      if (!lasting) {
        streams.become(before);
        for (OutputStream output : opened) {
          output.close();
        }
      }
    }
  }

  private String path(Script.Redirection redirection, String target) {
    return redirection.operator().endsWith("&") ? target : path(target);
  }

  /**
   * Returns whether the user may not write to the target. Only root may write the kernel's files.
   */
  private boolean forbidden(Script.Redirection redirection, String target) {
    return redirection.operator().startsWith(">")
        && !redirection.operator().endsWith("&")
        && !invocation(List.of("sh")).user().equals(Invocation.ROOT)
        && shell.files().isGenerated(path(target));
  }

  private int simple(List<Word> words) throws IOException, InterruptedException, Exit {
    int assignments = 0;
    while (assignments < words.size() && Expansion.isAssignment(words.get(assignments))) {
      assignments++;
    }
    List<String> command = expand(words.subList(assignments, words.size()));
    Expansion expansion = new Expansion(this, shell.files());
    Map<String, String> assigned = new HashMap<>();
    for (Word assignment : words.subList(0, assignments)) {
      String text = expansion.text(assignment);
      assigned.put(text.substring(0, text.indexOf('=')), text.substring(text.indexOf('=') + 1));
    }
    if (command.isEmpty()) {
      assigned.forEach(this::set);
      return 0;
    }
    Optional<Builtins.Builtin> builtin = builtins.find(command.get(0));
    return builtin.isPresent()
        ? builtin.get().run(command.subList(1, command.size()))
        : shell.start(invocation(command).with(assigned));
  }

  /** Returns an invocation with this shell's streams and its exported variables. */
  Invocation invocation(List<String> words) {
    return streams.invocation(words, environment);
  }

  /** Returns the absolute path of a name. */
  String path(String name) {
    return invocation(List.of("sh")).path(name);
  }

  void export(String name) {
    environment.put(name, variables.getOrDefault(name, ""));
  }

  private List<String> expand(List<Word> words) throws IOException, InterruptedException {
    return new Expansion(this, shell.files()).words(words);
  }

  /** Returns the output of a script without its trailing newlines. */
  String substitute(String text) throws IOException, InterruptedException {
    java.io.ByteArrayOutputStream output = new java.io.ByteArrayOutputStream();
    Streams own = streams.copy();
    own.output(1, output);
    try {
      status = child(own, builtins.process()).run(ScriptParser.parse(text));
    } catch (ShellSyntaxException refused) {
      streams.complain("bash: line 1: " + refused.getMessage() + "\n");
      status = 2;
    }
    return output.toString(java.nio.charset.StandardCharsets.UTF_8).replaceAll("\n+$", "");
  }

  /** Returns the value of a variable or of a special parameter, or empty if it is not set. */
  String parameter(String name) {
    return switch (name) {
      case "?" -> String.valueOf(status);
      case "$" -> String.valueOf(pid);
      case "!" -> background == 0 ? "" : String.valueOf(background);
      case "#" -> String.valueOf(parameters.size() - 1);
      case "@", "*" -> String.join(" ", parameters.subList(1, parameters.size()));
      default ->
          name.matches("[0-9]+")
              ? Integer.parseInt(name) < parameters.size()
                  ? parameters.get(Integer.parseInt(name))
                  : ""
              : variables.getOrDefault(name, "");
    };
  }

  List<String> positional() {
    return parameters.subList(1, parameters.size());
  }

  void set(String name, String value) {
    variables.put(name, value);
    environment.computeIfPresent(name, (exported, before) -> value);
  }

  int status() {
    return status;
  }

  int pid() {
    return pid;
  }

  Streams streams() {
    return streams;
  }

  /** The open streams of a process, by number. */
  static final class Streams {
    private final Map<Integer, InputStream> inputs = new HashMap<>();
    private final Map<Integer, OutputStream> outputs = new HashMap<>();

    static Streams of(Invocation invocation) {
      Streams streams = new Streams();
      streams.input(0, invocation.input());
      streams.output(1, invocation.output());
      streams.output(2, invocation.errors());
      return streams;
    }

    Streams copy() {
      Streams copy = new Streams();
      copy.become(this);
      return copy;
    }

    void become(Streams other) {
      Map<Integer, InputStream> in = Map.copyOf(other.inputs);
      Map<Integer, OutputStream> out = Map.copyOf(other.outputs);
      inputs.clear();
      inputs.putAll(in);
      outputs.clear();
      outputs.putAll(out);
    }

    void input(int number, InputStream stream) {
      inputs.put(number, stream);
    }

    void output(int number, OutputStream stream) {
      outputs.put(number, stream);
    }

    InputStream in(int number) {
      return inputs.getOrDefault(number, InputStream.nullInputStream());
    }

    OutputStream out(int number) {
      return outputs.getOrDefault(number, OutputStream.nullOutputStream());
    }

    void complain(String text) throws IOException {
      out(2).write(text.getBytes(StandardCharsets.UTF_8));
      out(2).flush();
    }

    Invocation invocation(List<String> words, Map<String, String> environment) {
      return new Invocation(words, in(0), new Unclosed(out(1)), new Unclosed(out(2)), environment);
    }

    /** Redirects one stream; files that it opens for writing are added to {@code opened}. */
    void redirect(
        Script.Redirection redirection, String target, HostFiles files, List<OutputStream> opened)
        throws IOException {
      int number = redirection.number();
      switch (redirection.operator()) {
        case "<" ->
            input(
                number,
                target.equals("/dev/null") ? InputStream.nullInputStream() : file(target, files));
        case "<&" -> input(number, in(Integer.parseInt(target)));
        case ">&" -> output(number, out(Integer.parseInt(target)));
        default -> {
          OutputStream file = files.open(target, redirection.operator().equals(">>"));
          opened.add(file);
          output(number, file);
        }
      }
    }

    private static InputStream file(String name, HostFiles files) throws IOException {
      try {
        return new java.io.ByteArrayInputStream(files.read(name));
      } catch (java.io.FileNotFoundException missing) {
        throw new NoSuchFileException(name);
      }
    }

    /** A stream that stays open when the command that writes to it closes it. */
    static final class Unclosed extends FilterOutputStream {
      Unclosed(OutputStream stream) {
        super(stream);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
      }

      @Override
      public void close() throws IOException {
        flush();
      }
    }
  }
}
