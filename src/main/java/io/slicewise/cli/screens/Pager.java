package io.slicewise.cli.screens;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Shows a long text: through the user's pager on a terminal, and as it is elsewhere. */
public final class Pager {
  private static final String USUAL = "less";

  private Pager() {}

  /** Shows lines; returns when the user leaves the pager. */
  public static void show(List<String> lines, PrintWriter out) {
    String asked = System.getenv().getOrDefault("PAGER", USUAL);
    if (!Terminal.isOutInteractive() || asked.isBlank() || !paged(lines, asked)) {
      lines.forEach(out::println);
    }
  }

  /** Returns false if there is no such pager. */
  private static boolean paged(List<String> lines, String pager) {
    ProcessBuilder builder = new ProcessBuilder(pager.strip().split(" +"));
    // A text that fits is printed and stays on the screen.
    builder.environment().putIfAbsent("LESS", "FRX");
    builder.redirectOutput(ProcessBuilder.Redirect.INHERIT);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    try {
      Process process = builder.start();
      try (PrintWriter writer =
          new PrintWriter(process.getOutputStream(), false, StandardCharsets.UTF_8)) {
        lines.forEach(writer::println);
      }
      process.waitFor();
      return true;
    } catch (IOException missing) {
      return false;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
