package io.slicewise.lab.shell;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The built-in commands of the shell. */
final class Builtins {
  private static final int MISUSED = 2;

  private final Interpreter interpreter;
  private final Shell shell;
  private final Map<String, Builtin> all;
  private int process;

  /** One built-in command. */
  @FunctionalInterface
  interface Builtin {
    int run(List<String> arguments) throws IOException, InterruptedException, Interpreter.Exit;
  }

  Builtins(Interpreter interpreter, Shell shell) {
    this.interpreter = interpreter;
    this.shell = shell;
    process = interpreter.pid();
    all =
        Map.ofEntries(
            Map.entry(":", arguments -> 0),
            Map.entry("umask", arguments -> 0),
            Map.entry("exit", this::exit),
            Map.entry("exec", this::exec),
            Map.entry("trap", this::trap),
            Map.entry("read", this::read),
            Map.entry("cd", this::cd),
            Map.entry("test", this::test),
            Map.entry("[", this::bracket),
            Map.entry("wait", this::await));
  }

  /** Sets the process of this shell; {@code $$} remains the script's process. */
  void processIs(int number) {
    process = number;
  }

  int process() {
    return process;
  }

  Optional<Builtin> find(String name) {
    return Optional.ofNullable(all.get(name));
  }

  private int exit(List<String> arguments) throws Interpreter.Exit {
    throw new Interpreter.Exit(
        arguments.isEmpty() ? interpreter.status() : Getopt.strtol(arguments.get(0)) & 255);
  }

  /** Replaces the shell with a program, which takes over its process number and its exit. */
  private int exec(List<String> arguments)
      throws IOException, InterruptedException, Interpreter.Exit {
    if (arguments.isEmpty()) {
      return 0;
    }
    Optional<Program> tool = shell.find(arguments.get(0));
    Invocation invocation = interpreter.invocation(arguments);
    if (tool.isEmpty()) {
      throw new Interpreter.Exit(shell.start(invocation));
    }
    shell.processes().become(process, arguments);
    throw new Interpreter.Exit(tool.get().run(invocation));
  }

  private int trap(List<String> arguments) throws IOException {
    if (arguments.isEmpty() || !(arguments.get(0).isEmpty() || arguments.get(0).equals("-"))) {
      interpreter.streams().complain("trap: only '' and - are supported by this host's shell\n");
      return MISUSED;
    }
    shell
        .processes()
        .ignore(process, arguments.get(0).isEmpty(), arguments.subList(1, arguments.size()));
    return 0;
  }

  private int cd(List<String> arguments) throws IOException {
    String wanted = arguments.isEmpty() ? Invocation.HOME : arguments.get(0);
    String path = interpreter.path(wanted);
    if (!Files.isDirectory(shell.files().locate(path))) {
      interpreter
          .streams()
          .complain("bash: line 1: cd: " + wanted + ": No such file or directory\n");
      return 1;
    }
    interpreter.set(Invocation.DIRECTORY, Path.of(path).normalize().toString());
    interpreter.export(Invocation.DIRECTORY);
    return 0;
  }

  private int read(List<String> arguments) throws IOException {
    List<String> names = arguments.stream().filter(name -> !name.startsWith("-")).toList();
    java.io.ByteArrayOutputStream line = new java.io.ByteArrayOutputStream();
    int next = interpreter.streams().in(0).read();
    while (next >= 0 && next != '\n') {
      line.write(next);
      next = interpreter.streams().in(0).read();
    }
    String[] words =
        line.toString(StandardCharsets.UTF_8).strip().split("\\s+", Math.max(1, names.size()));
    for (int i = 0; i < names.size(); i++) {
      interpreter.set(names.get(i), i < words.length ? words[i] : "");
    }
    return next < 0 ? 1 : 0;
  }

  private int bracket(List<String> arguments) throws IOException {
    if (arguments.isEmpty() || !arguments.get(arguments.size() - 1).equals("]")) {
      interpreter.streams().complain("bash: line 1: [: missing `]'\n");
      return MISUSED;
    }
    return test(arguments.subList(0, arguments.size() - 1));
  }

  private int test(List<String> arguments) throws IOException {
    try {
      return new TestExpression(shell.files(), interpreter::path).holds(arguments) ? 0 : 1;
    } catch (IllegalArgumentException refused) {
      interpreter.streams().complain("bash: line 1: test: " + refused.getMessage() + "\n");
      return MISUSED;
    }
  }

  private int await(List<String> arguments) throws InterruptedException {
    shell.processes().awaitStarted(arguments.stream().map(Getopt::strtol).toList());
    return 0;
  }

  /**
   * The conditions of {@code test} and {@code [}: on files, texts and integers.
   *
   * @param paths turns a name into an absolute path
   */
  private record TestExpression(HostFiles files, UnaryOperator<String> paths) {
    /**
     * Evaluates a condition.
     *
     * @throws IllegalArgumentException if the condition is not supported
     */
    boolean holds(List<String> words) throws IOException {
      return switch (words.size()) {
        case 0 -> false;
        case 1 -> !words.get(0).isEmpty();
        case 2 ->
            words.get(0).equals("!") ? words.get(1).isEmpty() : unary(words.get(0), words.get(1));
        default -> {
          if (words.get(0).equals("!")) {
            yield !holds(words.subList(1, words.size()));
          }
          if (words.size() > 3) {
            throw new IllegalArgumentException("too many arguments");
          }
          yield binary(words.get(0), words.get(1), words.get(2));
        }
      };
    }

    private boolean unary(String operator, String word) throws IOException {
      Path path = files.locate(paths.apply(word));
      return switch (operator) {
        case "-n" -> !word.isEmpty();
        case "-z" -> word.isEmpty();
        case "-f" -> Files.isRegularFile(path);
        case "-d" -> Files.isDirectory(path);
        case "-s" ->
            Files.exists(path)
                && (Files.isDirectory(path) || files.read(paths.apply(word)).length > 0);
        case "-L", "-h" -> files.linkTarget(paths.apply(word)).isPresent();
        case "-e", "-r", "-w", "-x" -> Files.exists(path);
        default -> throw new IllegalArgumentException(operator + ": unary operator expected");
      };
    }

    private static boolean binary(String left, String operator, String right) {
      return switch (operator) {
        case "=", "==" -> left.equals(right);
        case "!=" -> !left.equals(right);
        case "-eq" -> number(left) == number(right);
        case "-ne" -> number(left) != number(right);
        case "-lt" -> number(left) < number(right);
        case "-le" -> number(left) <= number(right);
        case "-gt" -> number(left) > number(right);
        case "-ge" -> number(left) >= number(right);
        default -> throw new IllegalArgumentException(operator + ": binary operator expected");
      };
    }

    private static long number(String text) {
      try {
        return Long.parseLong(text.strip());
      } catch (NumberFormatException fault) {
        throw new IllegalArgumentException(text + ": integer expression expected", fault);
      }
    }
  }
}
