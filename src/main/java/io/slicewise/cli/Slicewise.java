package io.slicewise.cli;

import io.slicewise.cli.commands.ApplyCommand;
import io.slicewise.cli.commands.BundleCommand;
import io.slicewise.cli.commands.CheckCommand;
import io.slicewise.cli.commands.CompareCommand;
import io.slicewise.cli.commands.DemoCommand;
import io.slicewise.cli.commands.DoctorCommand;
import io.slicewise.cli.commands.GeneratorCommand;
import io.slicewise.cli.commands.HistoryCommand;
import io.slicewise.cli.commands.ImportCommand;
import io.slicewise.cli.commands.InitCommand;
import io.slicewise.cli.commands.LabCommand;
import io.slicewise.cli.commands.NightlyCommand;
import io.slicewise.cli.commands.PlanCommand;
import io.slicewise.cli.commands.RecommendCommand;
import io.slicewise.cli.commands.ReduceCommand;
import io.slicewise.cli.commands.ReportCommand;
import io.slicewise.cli.commands.RestoreCommand;
import io.slicewise.cli.commands.ResumeCommand;
import io.slicewise.cli.commands.RunCommand;
import io.slicewise.cli.commands.RunsCommand;
import io.slicewise.cli.commands.SimulateCommand;
import io.slicewise.cli.commands.StatusCommand;
import io.slicewise.cli.commands.StudyCommand;
import io.slicewise.cli.commands.TargetCommand;
import io.slicewise.cli.commands.TuneCommand;
import io.slicewise.cli.options.BundlePath;
import io.slicewise.cli.screens.ErrorPrinter;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.OptionMistakes;
import io.slicewise.cli.screens.Terminal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The root command, shown by {@code slicewise --help}. */
@Command(
    name = "slicewise",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description =
        "Finds the CPU-scheduler settings of Xen and libvirt/KVM that serve a workload best.",
    synopsisSubcommandLabel = "COMMAND")
public final class Slicewise implements Runnable {
  /** All commands, in the order of the help. */
  private static final List<Class<?>> COMMANDS =
      List.of(
          DemoCommand.class,
          InitCommand.class,
          PlanCommand.class,
          DoctorCommand.class,
          RunCommand.class,
          SimulateCommand.class,
          TuneCommand.class,
          NightlyCommand.class,
          ResumeCommand.class,
          StatusCommand.class,
          RunsCommand.class,
          ReportCommand.class,
          RecommendCommand.class,
          ApplyCommand.class,
          CompareCommand.class,
          HistoryCommand.class,
          StudyCommand.class,
          RestoreCommand.class,
          CheckCommand.class,
          BundleCommand.class,
          ReduceCommand.class,
          ImportCommand.class,
          GeneratorCommand.class,
          LabCommand.class,
          TargetCommand.class,
          HelpOfCommand.class,
          GenerateCompletion.class,
          GenerateManual.class);

  @Spec private CommandSpec spec;

  /** Returns the command line of all commands, including error handling and exit codes. */
  public static CommandLine commandLine() {
    return commandLine(COMMANDS);
  }

  private static CommandLine commandLine(List<Class<?>> commands) {
    CommandLine root = new CleanCommandLine(new Slicewise());
    commands.forEach(root::addSubcommand);
    CommandLine commandLine = configured(root);
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
   * Runs one command. Registering all commands takes longer than reducing a million samples, so
   * {@code reduce} is registered alone, and other commands without the rest; only {@code nightly}
   * calls others.
   */
  static int execute(String[] arguments) {
    if (arguments.length > 0 && arguments[0].equals("reduce")) {
      return configured(
              new CleanCommandLine(new ReduceCommand()).setCommandName("slicewise reduce"))
          .execute(Arrays.copyOfRange(arguments, 1, arguments.length));
    }
    String first = arguments.length == 0 ? "" : arguments[0];
    List<Class<?>> named =
        COMMANDS.stream()
            .filter(command -> command.getAnnotation(Command.class).name().equals(first))
            .filter(command -> !command.getPackage().equals(Slicewise.class.getPackage()))
            .filter(command -> command != NightlyCommand.class)
            .toList();
    return commandLine(named.isEmpty() ? COMMANDS : named).execute(arguments);
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
    throw new CommandLine.ParameterException(
        spec.commandLine(), "Missing command; to begin, try: slicewise demo");
  }

  private static String exitCodes(CommandLine.Help help) {
    Map<String, String> rows = new LinkedHashMap<>();
    Arrays.stream(ExitCode.values())
        .forEach(code -> rows.put(String.valueOf(code.code()), code.meaning()));
    return help.commandSpec().parent() == null
        ? String.format("%nExit codes:%n") + help.createTextTable(rows)
        : "";
  }
}
