package io.slicewise.cli;

import io.slicewise.target.Database;
import io.slicewise.target.Pace;
import io.slicewise.target.PageFiles;
import io.slicewise.target.WebApplication;
import io.slicewise.target.WebApplicationOptions;
import io.slicewise.units.ExitCode;
import io.slicewise.units.Secret;
import io.slicewise.units.SlicewiseException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slicewise target}: serves a sample application, in a guest or anywhere else. */
@Command(
    name = "target",
    mixinStandardHelpOptions = true,
    description = "Serves a sample application to be loaded, until it is interrupted.",
    subcommands = TargetCommand.WebApp.class)
final class TargetCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "Missing the application: slicewise target web-app");
  }

  /** The web application of the 2010 study. */
  @Command(
      name = "web-app",
      mixinStandardHelpOptions = true,
      description =
          "A page of about 5 KB from a sign-in, a logged row, a text and two files. Its schema is"
              + " made if it is missing, and then dropped at the end.")
  static final class WebApp implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(
        names = "--db",
        required = true,
        paramLabel = "URL",
        description = "JDBC address: jdbc:postgresql://HOST/DB or jdbc:mariadb://HOST/DB.")
    private String url;

    @Option(names = "--db-user", defaultValue = "", description = "Who signs in to the database.")
    private String user;

    @ArgGroup private Password password = new Password();

    @Option(
        names = "--files",
        required = true,
        paramLabel = "DIR",
        description = "Directory with header.html and footer.html.")
    private Path files;

    @Option(names = "--sample-files", description = "Write the two files where they are missing.")
    private boolean sampleFiles;

    @Option(
        names = "--host",
        defaultValue = "0.0.0.0",
        description = "Address to listen on (default: ${DEFAULT-VALUE}).")
    private String host;

    @Option(
        names = "--port",
        defaultValue = "8080",
        description = "Port to listen on, 0 for any (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
        names = "--connections",
        defaultValue = "" + WebApplicationOptions.DEFAULT_CONNECTIONS,
        description = "Database connections, and as many workers (default: ${DEFAULT-VALUE}).")
    private int connections;

    @Override
    public Integer call() throws InterruptedException {
      WebApplicationOptions options = options();
      PrintWriter out = spec.commandLine().getOut();
      if (sampleFiles) {
        PageFiles.createMissing(files).forEach(file -> out.println("wrote " + file));
      }
      WebApplication application = WebApplication.start(options);
      Runtime.getRuntime().addShutdownHook(new Thread(application::close, "web-app-end"));
      out.println("serving " + application.uri() + " until interrupted");
      out.flush();
      new CountDownLatch(1).await();
      return ExitCode.OK.code();
    }

    private WebApplicationOptions options() {
      try {
        return new WebApplicationOptions(
            host, port, new Database(url, user, password.read()), files, connections, Pace.FREE);
      } catch (IllegalArgumentException fault) {
        throw new CommandLine.ParameterException(spec.commandLine(), fault.getMessage(), fault);
      }
    }
  }

  /** A password comes from where no process list shows it. */
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
          .or(() -> file.map(Password::fromFile))
          .orElse(Secret.NONE);
    }

    private static Secret fromEnvironment(String name) {
      String value = System.getenv(name);
      if (value == null) {
        throw new SlicewiseException(
            ExitCode.USAGE, "environment variable " + name + " is not set", "");
      }
      return Secret.of(value);
    }

    private static Secret fromFile(Path file) {
      try (var lines = Files.lines(file)) {
        return Secret.of(lines.findFirst().orElse(""));
      } catch (IOException fault) {
        throw new SlicewiseException(
            ExitCode.USAGE, "password file " + file + " cannot be read", "", fault);
      }
    }
  }
}
