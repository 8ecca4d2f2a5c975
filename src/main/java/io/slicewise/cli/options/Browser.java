package io.slicewise.cli.options;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Opens a page in the user's browser. */
public final class Browser {
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
