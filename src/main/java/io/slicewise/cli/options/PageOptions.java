package io.slicewise.cli.options;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** {@code --page} and {@code --open} of commands that write a page only on request. */
public final class PageOptions {
  @Option(
      names = "--page",
      paramLabel = "FILE",
      description = "Also write an HTML page, which opens from disk and prints.")
  private Optional<Path> page = Optional.empty();

  @Option(
      names = "--open",
      description = "Also open the page in the browser; without --page it is a temporary file.")
  private boolean open;

  /** Writes and opens the page as asked. */
  public void write(Supplier<String> html) {
    if (page.isEmpty() && !open) {
      return;
    }
    try {
      Path file = page.isPresent() ? page.get() : Files.createTempFile("slicewise-", ".html");
      WholeFile.write(file, html.get());
      if (open) {
        Browser.open(file);
      }
    } catch (IOException e) {
      throw SlicewiseException.input(
          "the page cannot be written: " + e.getMessage(), "name another file with --page", e);
    }
  }
}
