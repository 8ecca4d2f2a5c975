package io.slicewise.cli;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.screens.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slicewise generate-manual DIR}: writes the manual pages and the completion script. */
@Command(
    name = "generate-manual",
    mixinStandardHelpOptions = true,
    description =
        "Writes a manual page for each command, to DIR/man1, and the completion script for bash and"
            + " zsh, to DIR/completions.")
final class GenerateManual implements Callable<Integer> {
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
          file + " cannot be written: " + FileFault.reason(fault), "name another directory", fault);
    }
  }
}
