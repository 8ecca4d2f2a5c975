package io.slicewise.cli.commands;

import io.slicewise.cli.options.RunChoice;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.bundle.OpenedBundle;
import io.slicewise.run.bundle.RunBundle;
import java.io.File;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slicewise bundle [DIR]}: makes one archive of a run; {@code bundle verify} checks one. */
@Command(
    name = "bundle",
    mixinStandardHelpOptions = true,
    subcommands = BundleCommand.Verify.class,
    description =
        "Makes one archive of a run, with the SHA-256 of every file. 'report', 'compare' and"
            + " 'check' read it like a run directory.")
public final class BundleCommand implements Callable<Integer> {
  @Mixin private RunChoice choice;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "The archive (default: the run's name with .slicewise.zip, here).")
  private Optional<File> output = Optional.empty();

  @Option(names = "--no-samples", description = "Leave out the single samples of the load.")
  private boolean withoutSamples;

  @Option(
      names = "--scrub",
      description = "Replace the names of hosts, domains and users, also inside the files.")
  private boolean scrub;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    RunDirectory run = choice.run().directory();
    Path file =
        output
            .map(File::toPath)
            .orElseGet(() -> Path.of((scrub ? "run" : run.name()) + RunBundle.SUFFIX));
    boolean live = run.isWorkedOn();
    String sum = RunBundle.write(run, file, !withoutSamples, scrub);
    PrintWriter out = spec.commandLine().getOut();
    out.println("bundle  " + file);
    if (live) {
      out.println(
          "        a process works on this run: only the trials that have finished are in it");
    }
    out.println("seal    " + sum);
    return ExitCode.OK.code();
  }

  /** {@code slicewise bundle verify FILE}. */
  @Command(
      name = "verify",
      mixinStandardHelpOptions = true,
      description = "Checks a bundle: reports files that were changed, removed or added.")
  static final class Verify implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "The bundle.")
    private File file;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      PrintWriter out = spec.commandLine().getOut();
      try (OpenedBundle bundle = OpenedBundle.open(file.toPath())) {
        List<String> damages = bundle.damages();
        out.println(
            damages.isEmpty() ? "intact: " + bundle.summary() : "DAMAGED: " + bundle.summary());
        damages.forEach(sentence -> out.println("  " + sentence));
        return (damages.isEmpty() ? ExitCode.OK : ExitCode.DAMAGED).code();
      }
    }
  }
}
