package io.slicewise.cli.commands;

import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.target.PageFiles;
import io.slicewise.workload.target.SampleApplication;
import io.slicewise.workload.target.TargetOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of all sample applications, and their server loop. */
final class Serving {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--db",
      required = true,
      paramLabel = "URL",
      description = "JDBC address: jdbc:postgresql://HOST/DB or jdbc:mariadb://HOST/DB.")
  private String url;

  @Option(
      names = "--db-user",
      paramLabel = "NAME",
      defaultValue = "",
      description = "Database user.")
  private String user;

  @ArgGroup private Password password = new Password();

  @Option(
      names = "--files",
      required = true,
      paramLabel = "DIR",
      description = "Directory that contains header.html and footer.html.")
  private Path files;

  @Option(names = "--sample-files", description = "Create the two files if they are missing.")
  private boolean sampleFiles;

  @Option(
      names = {"--listen", "--host"},
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description = {
        "Address to listen on; the default is loopback, 0.0.0.0 means all interfaces",
        "(default: ${DEFAULT-VALUE})."
      })
  private String host;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "8080",
      description = "Port to listen on, 0 for any free port (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--connections",
      paramLabel = "N",
      defaultValue = "" + TargetOptions.DEFAULT_CONNECTIONS,
      description = "Number of database connections and of workers (default: ${DEFAULT-VALUE}).")
  private int connections;

  /** Serves until the process receives a signal, then shuts down the application. */
  int serve(Function<TargetOptions, SampleApplication> start) throws InterruptedException {
    TargetOptions options = options();
    PrintWriter out = spec.commandLine().getOut();
    if (sampleFiles) {
      PageFiles.createMissing(files).forEach(file -> out.println("wrote " + file));
    }
    SampleApplication application = start.apply(options);
    Runtime.getRuntime().addShutdownHook(new Thread(application::close, "target-end"));
    out.println("serving " + application.uri() + " until interrupted");
    new CountDownLatch(1).await();
    return ExitCode.OK.code();
  }

  private TargetOptions options() {
    try {
      return new TargetOptions(
          host, port, new Database(url, user, password.read()), files, connections);
    } catch (IllegalArgumentException fault) {
      throw new CommandLine.ParameterException(spec.commandLine(), fault.getMessage(), fault);
    }
  }

  /** The sources of a password; none of them is visible in a process list. */
  static final class Password {
    @Option(
        names = "--password-env",
        paramLabel = "NAME",
        description = "Environment variable with the database password.")
    private Optional<String> variable = Optional.empty();

    @Option(
        names = "--password-file",
        paramLabel = "FILE",
        description = "File whose first line is the database password.")
    private Optional<Path> file = Optional.empty();

    Secret read() {
      return variable
          .map(Password::fromEnvironment)
          .or(() -> file.map(Secret::inFile))
          .orElse(Secret.NONE);
    }

    private static Secret fromEnvironment(String name) {
      String value = System.getenv(name);
      if (value == null) {
        throw SlicewiseException.input("environment variable " + name + " is not set", "");
      }
      return Secret.of(value);
    }
  }
}
