package io.slicewise.cli.commands;

import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.target.PageFiles;
import io.slicewise.workload.target.PortalApplication;
import io.slicewise.workload.target.SampleApplication;
import io.slicewise.workload.target.SampleApplication.TargetOptions;
import io.slicewise.workload.target.WebApplication;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slicewise target}: serves a sample application, usually in a guest. */
@Command(
    name = "target",
    mixinStandardHelpOptions = true,
    description = "Serves a sample application as a load target until interrupted.",
    subcommands = {TargetCommand.WebApp.class, TargetCommand.Portal.class})
public final class TargetCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "Missing application: slicewise target web-app, or portal");
  }

  /** The web application of the 2010 study. */
  @Command(
      name = "web-app",
      mixinStandardHelpOptions = true,
      description =
          "A page of about 5 KB that needs a sign-in, one inserted row, one query and two files. A"
              + " missing schema is created, and dropped at the end.")
  static final class WebApp implements Callable<Integer> {
    @Mixin private Serving serving;

    @Override
    public Integer call() throws InterruptedException {
      return serving.serve(WebApplication::start);
    }
  }

  /** The portal of the 2010 study. */
  @Command(
      name = "portal",
      mixinStandardHelpOptions = true,
      description =
          "A site with lists and documents stored in the database. A missing schema is created, and"
              + " dropped at the end.")
  static final class Portal implements Callable<Integer> {
    @Mixin private Serving serving;

    @Override
    public Integer call() throws InterruptedException {
      return serving.serve(PortalApplication::start);
    }
  }

  /** The options of all sample applications, and their server loop. */
  private static final class Serving {
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
}
