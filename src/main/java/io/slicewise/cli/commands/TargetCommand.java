package io.slicewise.cli.commands;

import io.slicewise.workload.target.PortalApplication;
import io.slicewise.workload.target.WebApplication;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slicewise target}: serves a sample application, in a guest or anywhere else. */
@Command(
    name = "target",
    mixinStandardHelpOptions = true,
    description = "Serves a sample application to be loaded, until it is interrupted.",
    subcommands = {TargetCommand.WebApp.class, TargetCommand.Portal.class})
public final class TargetCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "Missing the application: slicewise target web-app, or portal");
  }

  /** The web application of the 2010 study. */
  @Command(
      name = "web-app",
      mixinStandardHelpOptions = true,
      description =
          "A page of about 5 KB from a sign-in, a logged row, a text and two files. Its schema is"
              + " made if it is missing, and then dropped at the end.")
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
          "A site with lists and documents, which are kept in the database. Its schema is made if"
              + " it is missing, and then dropped at the end.")
  static final class Portal implements Callable<Integer> {
    @Mixin private Serving serving;

    @Override
    public Integer call() throws InterruptedException {
      return serving.serve(PortalApplication::start);
    }
  }
}
