package io.slicewise.load.generator;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.OwnerOnly;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.UserDirectory;
import io.slicewise.base.units.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The plans whose code the user has allowed, by checksum: files in the user's state directory, so
 * that no experiment can bring its own permission.
 */
public final class AllowedPlans {
  private static final String NAME = "allowed-plans";

  private AllowedPlans() {}

  /** Whether the plan has no foreign code, or the user has allowed this very code. */
  public static boolean allow(PlanCode code) {
    return !code.isForeign(shipped()) || Files.exists(file(code));
  }

  /** Returns what {@code plan} says about a plan with foreign code. */
  public static Optional<String> note(PlanCode code) {
    return code.isForeign(shipped())
        ? Optional.of(
            code.sentence()
                + (Files.exists(file(code))
                    ? ", as you allowed"
                    : "; 'run' asks for your consent once, or takes --allow-plan-code"))
        : Optional.empty();
  }

  /** Remembers that the user allows this code. */
  public static void add(PlanCode code) {
    try {
      WholeFile.write(file(code), code.plan().toAbsolutePath() + "\n");
    } catch (IOException fault) {
      throw failure(fault);
    }
  }

  private static Path shipped() {
    return Path.of(System.getProperty("slicewise.home", "."), "jmeter-plans");
  }

  private static Path file(PlanCode code) {
    try {
      Path directory = UserDirectory.STATE.of(NAME);
      OwnerOnly.close(directory);
      return directory.resolve(code.checksum());
    } catch (IOException fault) {
      throw failure(fault);
    }
  }

  private static SlicewiseException failure(IOException fault) {
    return SlicewiseException.input(
        "the list of allowed plans cannot be used: " + FileFault.reason(fault),
        "make the directory slicewise in $XDG_STATE_HOME or ~/.local/state yours and writable",
        fault);
  }
}
