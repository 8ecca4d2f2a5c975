package io.slicewise.load.generator;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.Sha256;
import io.slicewise.base.units.SlicewiseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What in a JMeter plan, or in the place of one, runs code of its author, with the rights of the
 * user who starts the load.
 *
 * @param plan the file
 * @param what it is, to begin a sentence
 * @param parts the elements, functions and properties that do, each as a phrase; text of the plan
 *     in them is safe to print
 * @param loadable whether JMeter can load the plan without running any of it: all its classes are
 *     JMeter's own
 * @param checksum of all that was read: the plan, the files that it includes and those that the
 *     parts name; 64 hexadecimal digits, for a single file those of {@code sha256sum}
 */
public record PlanCode(
    Path plan, String what, List<String> parts, boolean loadable, String checksum) {
  public PlanCode {
    parts = List.copyOf(parts);
  }

  /**
   * Reads a plan as text, with the files that it includes; nothing of it runs.
   *
   * @param properties JMeter properties of the experiment; some name scripts and classes
   * @throws SlicewiseException if the file is not a JMeter plan
   */
  public static PlanCode of(Path plan, Map<String, String> properties) {
    try {
      return new PlanCodeReader(plan, properties).read();
    } catch (IOException fault) {
      throw SlicewiseException.input(
          "plan %s cannot be used: %s".formatted(plan, FileFault.reason(fault)),
          "name a test plan that JMeter saved (a .jmx file)");
    }
  }

  /**
   * Returns the code of a command that an experiment has in the place of a plan.
   *
   * @param shown the command, for people
   */
  public static PlanCode ofCommand(List<String> words, String shown) {
    return new PlanCode(
        Path.of(words.get(0)),
        "the workload",
        List.of(shown),
        true,
        HexFormat.of().formatHex(Sha256.of(String.join("\0", words))));
  }

  /**
   * Whether the code needs consent: there is some, and the plan is not one of those in a directory
   * of known plans.
   */
  public boolean isForeign(Path shipped) {
    return !parts.isEmpty() && !isAmong(shipped);
  }

  private boolean isAmong(Path shipped) {
    if (!Files.isDirectory(shipped)) {
      return false;
    }
    try (Stream<Path> plans = Files.list(shipped)) {
      for (Path each : (Iterable<Path>) plans::iterator) {
        if (Files.isRegularFile(each) && Sha256.of(each).equals(checksum)) {
          return true;
        }
      }
      return false;
    } catch (IOException unreadable) {
      return false;
    }
  }

  /** Returns what runs code, as a clause. */
  public String sentence() {
    return "%s runs code with your rights: %s".formatted(what, String.join(", ", parts));
  }
}
