package io.slicewise.cli.options;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

  /** Opens a page in the user's browser. */
  public static final class Browser {
    private Browser() {}

    /** Starts the browser and returns at once. */
    public static void open(Path page) {
      open(page, System.getenv(), System.getProperty("os.name"));
    }

    public static void open(Path page, Map<String, String> environment, String system) {
      String program = program(environment, system);
      try {
        new ProcessBuilder(List.of(program, page.toAbsolutePath().toUri().toString()))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
      } catch (IOException missing) {
        throw SlicewiseException.input(
            "no browser can be started: " + FileFault.reason(missing),
            "name one in the variable BROWSER, or open " + page.toAbsolutePath(),
            missing);
      }
    }

    private static String program(Map<String, String> environment, String system) {
      String named = environment.getOrDefault("BROWSER", "");
      if (!named.isBlank()) {
        return named.split(":", 2)[0];
      }
      return system.toLowerCase(Locale.ROOT).startsWith("mac") ? "open" : "xdg-open";
    }
  }
}
