package io.slicewise.load.generator;

import io.slicewise.load.generator.child.Generator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The command line of a generator's JVM. Its class path is passed in the environment, so that
 * process lists stay readable.
 *
 * <p>The parallel collector gives the most requests per CPU-second. The heap is fixed and mostly
 * young, because nearly everything that a sample needs is garbage when the sample ends: the cost of
 * a collection then depends on the number of users, not of samples.
 *
 * <p>The second compiler halves the cost of a request, but only once it has finished: until then
 * code is slower than with the first compiler alone. Its only thread competes with all users for
 * few cores and takes 30 s; several take 15.
 */
public record JavaCommand(List<String> words) {
  /** Half a minute of warm-up and window, and the two minutes after which a load ends itself. */
  private static final Duration SHORT = Duration.ofSeconds(150);

  private static final int FEW_CORES = 8;
  private static final int COMPILERS = 4;
  private static final int BASE_MEGABYTES = 256;
  private static final double MEGABYTES_PER_USER = 0.5;

  /** Returns the command of a generator on this machine. */
  static JavaCommand of(LoadRequest request, String mode) {
    return of(
        request,
        mode,
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        Runtime.getRuntime().availableProcessors());
  }

  /**
   * Returns the command of a generator.
   *
   * @param request with plan and directory on the generator's machine
   * @param java the program there
   * @param cores of the machine
   */
  public static JavaCommand of(LoadRequest request, String mode, String java, int cores) {
    int heap = heapMegabytes(request.population());
    Path directory = request.directory();
    List<String> words = new ArrayList<>();
    words.addAll(
        List.of(
            java,
            "-Xms" + heap + "m",
            "-Xmx" + heap + "m",
            "-Xmn" + heap * 2 / 3 + "m",
            "-XX:+UseParallelGC",
            "-XX:+PerfDisableSharedMem",
            "-XX:+ExitOnOutOfMemoryError",
            "-Djava.awt.headless=true",
            "-Dfile.encoding=UTF-8",
            "-Djava.util.prefs.userRoot=" + directory.resolve(Generator.HOME),
            "-Dlog4j2.configurationFile=classpath:io/slicewise/load/generator/child/log4j2.xml",
            "-Dslicewise.log=" + directory.resolve("jmeter.log")));
    words.addAll(compilers(request.longest(), cores));
    words.addAll(
        List.of(
            Generator.class.getName(),
            request.plan().toString(),
            directory.toString(),
            Long.toString(request.longest().toMillis()),
            mode));
    return new JavaCommand(List.copyOf(words));
  }

  /** Returns the heap of a generator's JVM, in MiB, allocated at the start. */
  public static int heapMegabytes(int users) {
    return (int) (BASE_MEGABYTES + MEGABYTES_PER_USER * users);
  }

  /** Level 1 is the first compiler without profiling. With more cores, Java's default is best. */
  static List<String> compilers(Duration longest, int cores) {
    if (longest.compareTo(SHORT) <= 0) {
      return List.of("-XX:TieredStopAtLevel=1");
    }
    return cores < FEW_CORES ? List.of("-XX:CICompilerCount=" + COMPILERS) : List.of();
  }
}
