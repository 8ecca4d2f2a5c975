package io.slicewise.cli.commands;

import io.slicewise.workload.target.PortalApplication;
import io.slicewise.workload.target.WebApplication;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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
}
