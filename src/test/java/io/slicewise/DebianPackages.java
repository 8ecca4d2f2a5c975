package io.slicewise;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Programs of Debian that a test unpacks without installing them. */
public final class DebianPackages {
  private static final int PATIENCE_SECONDS = 180;

  private DebianPackages() {}

  /** Unpacks packages below a directory; the test is skipped where they cannot be downloaded. */
  public static Path unpacked(Path directory, String... packages) throws Exception {
    Path root = Files.createDirectories(directory.resolve("root"));
    Process fetched =
        new ProcessBuilder()
            .directory(root.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .command(
                Stream.concat(
                        Stream.of(
                            "sh",
                            "-c",
                            "apt-get -q download \"$@\" && for one in *.deb; do dpkg -x $one . ||"
                                + " exit; done; rm -f *.deb",
                            "sh"),
                        Stream.of(packages))
                    .toList())
            .start();
    assumeTrue(
        fetched.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && fetched.exitValue() == 0,
        "Debian's packages cannot be downloaded here: " + String.join(", ", packages));
    return root;
  }
}
