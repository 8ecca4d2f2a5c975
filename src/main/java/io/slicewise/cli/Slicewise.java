package io.slicewise.cli;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Suggestion;
import io.slicewise.cli.commands.ApplyCommand;
import io.slicewise.cli.commands.BundleCommand;
import io.slicewise.cli.commands.CheckCommand;
import io.slicewise.cli.commands.DemoCommand;
import io.slicewise.cli.commands.DoctorCommand;
import io.slicewise.cli.commands.FollowCommand;
import io.slicewise.cli.commands.GeneratorCommand;
import io.slicewise.cli.commands.ImportCommand;
import io.slicewise.cli.commands.KnobsCommand;
import io.slicewise.cli.commands.LookCommand;
import io.slicewise.cli.commands.PolicyCommand;
import io.slicewise.cli.commands.RecommendCommand;
import io.slicewise.cli.commands.RecordCommand;
import io.slicewise.cli.commands.ReduceCommand;
import io.slicewise.cli.commands.ReportCommand;
import io.slicewise.cli.commands.RestoreCommand;
import io.slicewise.cli.commands.ResumeCommand;
import io.slicewise.cli.commands.RunCommand;
import io.slicewise.cli.commands.RunsCommand;
import io.slicewise.cli.commands.StatusCommand;
import io.slicewise.cli.commands.StopCommand;
import io.slicewise.cli.commands.StudyCommand;
import io.slicewise.cli.commands.TargetCommand;
import io.slicewise.cli.commands.TryCommand;
import io.slicewise.cli.commands.TuneCommand;
import io.slicewise.cli.compare.CompareCommand;
import io.slicewise.cli.compare.HistoryCommand;
import io.slicewise.cli.compare.NightlyCommand;
import io.slicewise.cli.draft.InitCommand;
import io.slicewise.cli.lab.LabCommand;
import io.slicewise.cli.options.BundlePath;
import io.slicewise.cli.plan.PlanCommand;
import io.slicewise.cli.screens.ErrorPrinter;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.Terminal;
import io.slicewise.cli.screens.TerminalWriter;
import io.slicewise.cli.simulate.SimulateCommand;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The root command, shown by {@code slicewise --help}. */
@Command(
    name = "slicewise",
    mixinStandardHelpOptions = true,
    versionProvider = Slicewise.Version.class,
    description =
        "Finds the CPU-scheduler settings of Xen and libvirt/KVM that serve a workload best.",
    synopsisSubcommandLabel = "COMMAND")
public final class Slicewise implements Runnable {
  @Spec private CommandSpec spec;

  /** Returns the command line of all commands, including error handling and exit codes. */
  public static CommandLine commandLine() {
    return commandLine(all());
  }

  /** All commands, in the order of the help. Only who asks loads their classes. */
  private static List<Class<?>> all() {
    return List.of(
        LookCommand.class,
        TryCommand.class,
        DemoCommand.class,
        InitCommand.class,
        PlanCommand.class,
        DoctorCommand.class,
        KnobsCommand.class,
        RunCommand.class,
        SimulateCommand.class,
        TuneCommand.class,
        NightlyCommand.class,
        ResumeCommand.class,
        StatusCommand.class,
        StopCommand.class,
        RunsCommand.class,
        ReportCommand.class,
        RecommendCommand.class,
        ApplyCommand.class,
        PolicyCommand.class,
        FollowCommand.class,
        CompareCommand.class,
        HistoryCommand.class,
        StudyCommand.class,
        RestoreCommand.class,
        CheckCommand.class,
        BundleCommand.class,
        RecordCommand.class,
        ReduceCommand.class,
        ImportCommand.class,
        GeneratorCommand.class,
        LabCommand.class,
        TargetCommand.class,
        HelpOfCommand.class,
        GenerateCompletion.class,
        GenerateManual.class);
  }

  private static CommandLine commandLine(List<Class<?>> commands) {
    CommandLine commandLine = configured(new CleanCommandLine(new Slicewise(), commands));
    commandLine
        .getHelpSectionMap()
        .put(CommandLine.Model.UsageMessageSpec.SECTION_KEY_EXIT_CODE_LIST, Slicewise::exitCodes);
    commandLine
        .getHelpSectionMap()
        .put(CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, help -> "");
    commandLine
        .getHelpSectionMap()
        .put(CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandGroups::text);
    return commandLine;
  }

  /**
   * Returns a command line that knows only what the help of the root shows of each command. To read
   * all options of all commands takes most of the time of that help.
   */
  static CommandLine overview() {
    CommandLine commandLine = commandLine(List.of());
    all().stream()
        .map(command -> command.getAnnotation(Command.class))
        .forEach(
            command -> {
              CommandSpec named = CommandSpec.create().name(command.name());
              named.usageMessage().description(command.description());
              commandLine.addSubcommand(command.name(), named);
            });
    return configured(commandLine);
  }

  /**
   * Runs one command. Registering all commands takes longer than reducing a million samples, so
   * {@code reduce} is registered alone, and other commands without the rest; only {@code nightly}
   * calls others.
   */
  static int execute(String[] arguments) {
    if (arguments.length > 0 && arguments[0].equals("reduce")) {
      return configured(
              new CleanCommandLine(new ReduceCommand(), List.of())
                  .setCommandName("slicewise reduce"))
          .execute(Arrays.copyOfRange(arguments, 1, arguments.length));
    }
    String first = arguments.length == 0 ? "" : arguments[0];
    if (arguments.length < 2 && (first.isEmpty() || first.startsWith("-"))) {
      return overview().execute(arguments);
    }
    List<Class<?>> all = all();
    List<Class<?>> named =
        all.stream()
            .filter(command -> command.getAnnotation(Command.class).name().equals(first))
            .filter(command -> !command.getPackage().equals(Slicewise.class.getPackage()))
            .filter(command -> command != NightlyCommand.class)
            .toList();
    return commandLine(named.isEmpty() ? all : named).execute(arguments);
  }

  private static CommandLine configured(CommandLine commandLine) {
    return commandLine
        .setCaseInsensitiveEnumValuesAllowed(true)
        .registerConverter(Path.class, new BundlePath())
        .setExecutionExceptionHandler(new ErrorPrinter())
        .setParameterExceptionHandler(new OptionMistakes())
        .setUsageHelpWidth(Terminal.tableWidth());
  }

  @Override
  public void run() {
    new Welcome(Path.of("/")).lines().forEach(spec.commandLine().getOut()::println);
  }

  private static String exitCodes(CommandLine.Help help) {
    Map<String, String> rows = new LinkedHashMap<>();
    Arrays.stream(ExitCode.values())
        .forEach(code -> rows.put(String.valueOf(code.code()), code.meaning()));
    return help.commandSpec().parent() == null
        ? String.format("%nExit codes:%n") + help.createTextTable(rows)
        : "";
  }

  /** A command line whose commands print through a {@link TerminalWriter}, which colours. */
  static final class CleanCommandLine extends CommandLine {
    CleanCommandLine(Object command, List<Class<?>> subcommands) {
      super(command);
      subcommands.forEach(this::addSubcommand);
      setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF));
      // Asked for once, the writers are those of all subcommands that there are, too.
      setOut(getOut());
      setErr(getErr());
    }

    /**
     * Runs a command. An unknown one is a mistake even if {@code --help} follows it, where picocli
     * would print the help of the root. Everything printed is out when it returns.
     */
    @Override
    public int execute(String... arguments) {
      boolean unknown =
          arguments.length > 1
              && !getSubcommands().isEmpty()
              && !arguments[0].startsWith("-")
              && !arguments[0].startsWith("@")
              && !getSubcommands().containsKey(arguments[0]);
      try {
        return unknown ? super.execute(arguments[0]) : super.execute(arguments);
      } finally {
        getOut().flush();
        getErr().flush();
      }
    }

    @Override
    public CommandLine setOut(PrintWriter out) {
      return super.setOut(TerminalWriter.standardOut(out));
    }

    @Override
    public CommandLine setErr(PrintWriter err) {
      return super.setErr(TerminalWriter.standardError(err));
    }
  }

  /** The list of commands in {@code slicewise --help}, grouped by what they are for. */
  private static final class CommandGroups {
    private static final Map<String, List<String>> GROUPS = groups();

    private CommandGroups() {}

    private static Map<String, List<String>> groups() {
      Map<String, List<String>> groups = new LinkedHashMap<>();
      groups.put("Try", List.of("look", "try", "demo", "simulate", "lab"));
      groups.put("Plan", List.of("init", "plan", "doctor", "knobs", "generator"));
      groups.put("Run", List.of("run", "tune", "nightly", "resume", "status", "stop"));
      groups.put(
          "Read",
          List.of("runs", "report", "recommend", "compare", "history", "policy", "study", "check"));
      groups.put("Look after the host", List.of("apply", "follow", "restore"));
      return groups;
    }

    /** Returns the groups with a line per command; a command of no group is a tool. */
    static String text(Help help) {
      Map<String, Help> commands = help.subcommands();
      if (help.commandSpec().parent() != null) {
        return help.commandList();
      }
      Set<String> tools = new LinkedHashSet<>(commands.keySet());
      Map<String, List<String>> groups = new LinkedHashMap<>();
      GROUPS.forEach(
          (title, names) -> {
            groups.put(title, names.stream().filter(commands::containsKey).toList());
            names.forEach(tools::remove);
          });
      groups.put("Tools", new ArrayList<>(tools));
      StringBuilder text = new StringBuilder();
      int room = commands.keySet().stream().mapToInt(String::length).max().orElse(0);
      groups.forEach(
          (title, names) -> {
            text.append(String.format("%n%s:%n", title));
            names.forEach(name -> text.append(line(commands.get(name), name, room)));
          });
      return text.toString();
    }

    /** Returns the command with the first sentence of its description. */
    private static String line(Help command, String name, int room) {
      String[] description = command.commandSpec().usageMessage().description();
      String first = description.length == 0 ? "" : description[0];
      int end = first.indexOf(". ");
      String sentence = end < 0 ? first : first.substring(0, end + 1);
      CommandLine.Help.TextTable table =
          Help.TextTable.forColumns(
              command.colorScheme(),
              new Help.Column(room + 4, 2, Help.Column.Overflow.SPAN),
              new Help.Column(
                  command.commandSpec().usageMessage().width() - room - 4,
                  0,
                  Help.Column.Overflow.WRAP));
      table.addRowValues(name, sentence.replace("%n", " "));
      return table.toString();
    }
  }

  /** {@code slicewise generate-manual DIR}: writes the manual pages and the completion script. */
  @Command(
      name = "generate-manual",
      mixinStandardHelpOptions = true,
      description =
          "Writes a manual page for each command, to DIR/man1, and the completion script for bash and"
              + " zsh, to DIR/completions.")
  static final class GenerateManual implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "Where to write them.")
    private Path directory;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      CommandLine root = spec.root().commandLine();
      Map<Path, String> files = new LinkedHashMap<>();
      pages(root, files);
      files.put(
          directory.resolve("completions").resolve("slicewise"), GenerateCompletion.script(root));
      files.forEach(this::write);
      return ExitCode.OK.code();
    }

    private void pages(CommandLine command, Map<Path, String> files) {
      files.put(page(command), ManualPage.of(command));
      command.getSubcommands().values().forEach(sub -> pages(sub, files));
    }

    private Path page(CommandLine command) {
      return directory.resolve("man1").resolve(ManualPage.name(command) + ".1");
    }

    private void write(Path file, String text) {
      try {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
      } catch (IOException fault) {
        throw SlicewiseException.input(
            file + " cannot be written: " + FileFault.reason(fault),
            "name another directory",
            fault);
      }
    }
  }

  /** {@code slicewise generate-completion}: prints the completion script. */
  @Command(
      name = "generate-completion",
      mixinStandardHelpOptions = true,
      description = {
        "Prints a completion script for bash and zsh. To complete commands in this shell:",
        "source <(slicewise generate-completion)"
      })
  private static final class GenerateCompletion implements Callable<Integer> {
    /** The values of an enum, which picocli writes as Java does. */
    private static final Pattern VALUES =
        Pattern.compile("(?m)^ *local \\w+_option_args=\\((?:\"[A-Z0-9_]+\" ?)+\\)");

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      PrintWriter out = spec.commandLine().getOut();
      out.print(script(spec.root().commandLine()));
      return ExitCode.OK.code();
    }

    /** Returns the script, with values in lower case as in the help. */
    static String script(CommandLine root) {
      return VALUES
          .matcher(AutoComplete.bash("slicewise", root))
          .replaceAll(
              line -> {
                int values = line.group().indexOf('(');
                return line.group().substring(0, values)
                    + line.group().substring(values).toLowerCase(Locale.ROOT).replace('_', '-');
              });
    }
  }

  /** Prints a mistake in a command line: one sentence, and the nearest option or command. */
  private static final class OptionMistakes implements IParameterExceptionHandler {
    /** picocli's list of an enum's constants, {@code [TEXT, JSON]}. */
    private static final Pattern CONSTANTS = Pattern.compile("\\[[A-Z_]+(, [A-Z_]+)*\\]");

    /** The commands that start from an experiment file. */
    private static final Set<String> STARTS = Set.of("run", "plan", "doctor", "simulate");

    @Override
    public int handleParseException(ParameterException mistake, String[] arguments) {
      CommandLine command = mistake.getCommandLine();
      PrintWriter err = command.getErr();
      err.println("slicewise: " + sentence(mistake, command));
      if (mistake instanceof MissingParameterException
          && STARTS.contains(command.getCommandName())) {
        err.println(
            "  for example: slicewise init web-app -o web-app.yaml, then slicewise %s web-app.yaml"
                .formatted(command.getCommandName()));
      }
      err.println("  see '%s --help'".formatted(command.getCommandSpec().qualifiedName()));
      return ExitCode.USAGE.code();
    }

    private static String sentence(ParameterException mistake, CommandLine command) {
      if (mistake instanceof UnmatchedArgumentException unmatched) {
        String wrong = unmatched.getUnmatched().get(0);
        boolean option = wrong.startsWith("-");
        List<String> known =
            option ? options(command) : List.copyOf(command.getSubcommands().keySet());
        String what = option ? "option" : known.isEmpty() ? "argument" : "command";
        String name = option ? wrong.split("=", 2)[0] : wrong;
        return "unknown %s '%s'%s".formatted(what, name, Suggestion.of(name, known));
      }
      String message = String.valueOf(mistake.getMessage());
      Matcher constants = CONSTANTS.matcher(message);
      String plain =
          constants.find()
              ? constants.replaceAll(
                  list ->
                      list.group()
                          .replaceAll("[\\[\\]]", "")
                          .toLowerCase(Locale.ROOT)
                          .replace('_', '-'))
              : message;
      return (plain.substring(0, 1).toLowerCase(Locale.ROOT) + plain.substring(1))
          .replaceAll("\\s*\\R\\s*", " ")
          .replace(" but was '", ", not '")
          .replace(" (case-insensitive)", "");
    }

    private static List<String> options(CommandLine command) {
      return command.getCommandSpec().options().stream()
          .filter(option -> !option.hidden())
          .map(OptionSpec::names)
          .flatMap(Arrays::stream)
          .filter(name -> name.startsWith("--"))
          .collect(Collectors.toList());
    }
  }

  /** Prints version and commit, as the build recorded them. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"slicewise " + text(), build(recorded())};
    }

    /** Returns the version; {@code development} if run from class files without a build. */
    static String text() {
      return recorded().getProperty("version", "development");
    }

    /**
     * Returns what was built.
     *
     * @param recorded by {@code src/build/version.sh}
     */
    static String build(Properties recorded) {
      String commit = recorded.getProperty("commit", "unknown");
      String time = recorded.getProperty("time", "");
      return "commit %s%s%s"
          .formatted(
              commit,
              time.isEmpty() ? "" : " of " + time,
              recorded.getProperty("changed", "").equals("true")
                  ? ", built with changes to it"
                  : "");
    }

    private static Properties recorded() {
      Properties recorded = new Properties();
      try (InputStream in = Version.class.getResourceAsStream("/build.properties")) {
        if (in != null) {
          recorded.load(in);
        }
        return recorded;
      } catch (IOException unreadable) {
        throw new UncheckedIOException(unreadable);
      }
    }
  }
}
