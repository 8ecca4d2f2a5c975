package io.slicewise.sweep.preflight;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.Phrase;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.sweep.preflight.HostCheck.Reached;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Checks that the disks have space for a run: samples here, a trial's trace or logs on the host.
 */
final class SpaceCheck {
  /** A compressed sample; measured ones take 8 to 20 bytes. */
  private static final double BYTES_PER_SAMPLE = 20;

  private static final double ASSUMED_RATE = 1000;
  private static final double LEAST_HERE = 500e6;

  /** Runstate records of a busy host: about 30,000 changes per second of about 30 bytes. */
  private static final double TRACE_BYTES_PER_SECOND = 1e6;

  /** The space that xentrace always leaves free. */
  private static final double LEAST_THERE = 512e6;

  private SpaceCheck() {}

  static CheckResult here(Experiment experiment, Path results) {
    int trials = Plan.of(experiment, Plan.mostBlocks(experiment)).size();
    double seconds = Plan.trialTime(experiment).toSeconds() * (double) trials;
    double needed = experiment.workload().loads() ? seconds * ASSUMED_RATE * BYTES_PER_SAMPLE : 0;
    try {
      double free = Files.getFileStore(existing(results)).getUsableSpace();
      String sentence =
          size(free)
              + " free for results; "
              + (experiment.workload().loads()
                  ? "the run takes about " + size(needed) + " at 1000 requests a second"
                  : "nothing is loaded, so only logs are kept");
      if (free < LEAST_HERE) {
        return CheckResult.blocking(
            "disk here", sentence, "free some space, or use another --results");
      }
      return free < needed
          ? CheckResult.warning("disk here", sentence, "free some space, or use another --results")
          : CheckResult.ok("disk here", sentence);
    } catch (IOException e) {
      return CheckResult.warning(
          "disk here", "free space of " + results + " is not known: " + FileFault.reason(e), "");
    }
  }

  private static Path existing(Path path) {
    Path place = path.toAbsolutePath();
    while (!Files.exists(place) && place.getParent() != null) {
      place = place.getParent();
    }
    return place;
  }

  static CheckResult there(Experiment experiment, Reached host) {
    CommandResult result = host.shell().run(Command.reading("df", "-Pk", "/tmp"));
    Optional<Double> free = free(result);
    if (free.isEmpty()) {
      return CheckResult.warning(
          "disk there",
          "the host does not report the free space of /tmp",
          "make sure that a trial's trace fits");
    }
    double needed = LEAST_THERE + TRACE_BYTES_PER_SECOND * experiment.measure().toSeconds();
    String sentence =
        Phrase.of(
            "%s free in /tmp of the host; a trial's trace may take %s of it for a while",
            size(free.get()), size(needed - LEAST_THERE));
    return free.get() < needed
        ? CheckResult.warning(
            "disk there", sentence, "free some space, or measure for a shorter time")
        : CheckResult.ok("disk there", sentence);
  }

  /** The fourth column of df's second line, in KiB; the file system's name may contain blanks. */
  private static Optional<Double> free(CommandResult result) {
    String[] lines = result.standardOutput().strip().split("\n", -1);
    if (!result.succeeded() || lines.length < 2) {
      return Optional.empty();
    }
    String[] fields = lines[lines.length - 1].strip().split("\\s+", -1);
    try {
      return fields.length < 6
          ? Optional.empty()
          : Optional.of(Double.parseDouble(fields[fields.length - 3]) * 1024);
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static String size(double bytes) {
    return bytes < 1e9 ? Phrase.of("%.0f MB", bytes / 1e6) : Phrase.of("%.1f GB", bytes / 1e9);
  }
}
