package io.slicewise.load.generator;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.cli.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Protects the class path that an installation measures with: every common element of JMeter runs
 * with its jars, and every plan of the archive is read, without those of the lab and the tests. In
 * a release, the generator's JVM is the runtime that the release brings along.
 */
@Tag("packaged")
@Tag("thorough")
class InstalledPlansTest extends EveryElementTest {
  private static final String CLASS_PATH = "java.class.path";
  private static final String JAVA = "java.home";

  /** The runtime of a release; that of the tests without one. */
  private static final String RUNTIME =
      System.getProperty("slicewise.runtime", System.getProperty(JAVA));

  @TempDir private static Path unpacked;
  private static Installation installed;
  private static String ofTheTests;
  private static String javaOfTheTests;

  @BeforeAll
  static void useTheJarsOfTheArchive() throws Exception {
    installed = Installation.in(unpacked);
    javaOfTheTests = System.setProperty(JAVA, RUNTIME);
    ofTheTests = System.getProperty(CLASS_PATH);
    System.setProperty(CLASS_PATH, "%1$s/slicewise.jar:%1$s/lib/*".formatted(installed.home()));
  }

  @AfterAll
  static void useTheJarsOfTheTests() throws Exception {
    System.setProperty(CLASS_PATH, ofTheTests);
    System.setProperty(JAVA, javaOfTheTests);
    installed.release();
  }

  static Stream<Path> plans() throws IOException {
    return Installation.names(installed.home().resolve("jmeter-plans")).stream()
        .filter(name -> name.endsWith(".jmx"))
        .map(name -> installed.home().resolve("jmeter-plans").resolve(name));
  }

  @ParameterizedTest
  @MethodSource("plans")
  void preparesEveryPlan(Path plan, @TempDir Path directory) throws IOException {
    LoadRequest request =
        new LoadRequest(
            plan,
            1,
            1,
            Duration.ZERO,
            Duration.ofMinutes(1),
            Map.of("host", "127.0.0.1", "port", "1"),
            Map.of(),
            directory);
    assertThat(JavaCommand.of(request, "").words()).first().isEqualTo(RUNTIME + "/bin/java");
    try (LoadGenerator.PreparedLoad prepared = LoadGenerator.forked().prepare(request)) {
      assertThat(prepared.begin().isAlive()).isTrue();
    }
    assertThat(Files.readString(directory.resolve("jmeter.log")))
        .doesNotContain("NoClassDefFoundError", "ClassNotFoundException", "NoSuchMethodError");
  }
}
