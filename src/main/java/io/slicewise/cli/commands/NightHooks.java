package io.slicewise.cli.commands;

import io.slicewise.base.units.FileFault;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The commands that a night calls at its end; whatever they do, the night's result stays. */
record NightHooks(Night.Result result, PrintWriter err) {
  private static final Duration LONGEST = Duration.ofMinutes(10);

  /** Runs a shell command with the result in its environment; reports a failure. */
  void run(String option, String command) {
    try {
      ProcessBuilder builder = new ProcessBuilder("sh", "-c", command);
      builder.environment().putAll(environment());
      Process process =
          builder
              .redirectOutput(ProcessBuilder.Redirect.INHERIT)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      process.getOutputStream().close();
      if (!process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        say(option, "was stopped after %d minutes".formatted(LONGEST.toMinutes()));
      } else if (process.exitValue() != 0) {
        say(option, "ended with %d".formatted(process.exitValue()));
      }
    } catch (IOException fault) {
      say(option, "could not be started: " + FileFault.reason(fault));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private Map<String, String> environment() {
    return Map.of(
        "SLICEWISE_EXPERIMENT",
        result.experiment(),
        "SLICEWISE_RUN",
        result.run().map(run -> run.root().toAbsolutePath().toString()).orElse(""),
        "SLICEWISE_VERDICT",
        result.verdict(),
        "SLICEWISE_EXIT_CODE",
        String.valueOf(result.exitCode()));
  }

  private void say(String option, String what) {
    err.println("the command of %s %s; the night's result is unaffected".formatted(option, what));
  }
}
