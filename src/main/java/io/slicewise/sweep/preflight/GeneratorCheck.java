package io.slicewise.sweep.preflight;

import io.slicewise.base.units.Phrase;
import io.slicewise.experiment.Experiment;
import io.slicewise.load.generator.JavaCommand;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Checks that this machine can generate the load: memory for the generators' JVMs, and processors.
 */
final class GeneratorCheck {
  private static final Path MEMORY = Path.of("/proc/meminfo");

  /** The memory of a JVM in addition to its heap: code, classes, threads, buffers. */
  private static final long BESIDE_HEAP = 200;

  private static final double BUSY = 0.5;

  private GeneratorCheck() {}

  static CheckResult check(Experiment experiment) {
    int processors = Runtime.getRuntime().availableProcessors();
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    if (!experiment.workload().loads()) {
      return CheckResult.ok("generator", "none needed: nothing is loaded");
    }
    int users = experiment.users().stream().mapToInt(Integer::intValue).max().orElse(0);
    // The next trial's generator starts while the last one still runs.
    long needed = 2 * (JavaCommand.heapMegabytes(users) + BESIDE_HEAP);
    OptionalLong available = availableMegabytes();
    if (available.isPresent() && available.getAsLong() < needed) {
      return CheckResult.blocking(
          "generator",
          Phrase.of(
              "two generators of %d users need %d MB, this machine has %d MB left",
              users, needed, available.getAsLong()),
          "end other programs, use fewer users, or run from a bigger machine");
    }
    String sentence =
        Phrase.of(
            "%d processors, load average %.1f; two generators of %d users need %d MB%s",
            processors,
            load,
            users,
            needed,
            available.isPresent() ? " of " + available.getAsLong() + " MB left" : "");
    return processors < 2 || load > BUSY * processors
        ? CheckResult.warning(
            "generator", sentence, "a busy generator lengthens response times; keep it idle")
        : CheckResult.ok("generator", sentence);
  }

  private static OptionalLong availableMegabytes() {
    try (Stream<String> lines = Files.lines(MEMORY)) {
      return lines
          .filter(line -> line.startsWith("MemAvailable:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
          .findFirst();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }
}
