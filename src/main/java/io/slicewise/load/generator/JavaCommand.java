package io.slicewise.load.generator;

import io.slicewise.load.generator.child.Generator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The command line of a generator's JVM. Its class path travels in the environment, so that process
 * lists stay readable.
 *
 * <p>The parallel collector gives the most requests per CPU-second. The heap is fixed and mostly
 * young, because nearly everything a sample needs is garbage when the sample ends: a collection
 * then costs by the users alive, not by the samples made.
 *
 * <p>The second compiler halves what a request costs, but only when it is done: until then code is
 * slower than the first compiler alone would have it. Its one thread has to compete with all users
 * for few cores and takes 30 s; several take 15.
 */
record JavaCommand(List<String> words) {
  private static final Duration SHORT = Duration.ofMinutes(3);
  private static final int FEW_CORES = 8;
  private static final int COMPILERS = 4;
  private static final int BASE_MEGABYTES = 256;
  private static final double MEGABYTES_PER_USER = 0.5;

  static JavaCommand of(LoadRequest request, String mode) {
    int heap = heapMegabytes(request.population());
    Path directory = request.directory();
    List<String> words = new ArrayList<>();
    words.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
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
    words.addAll(compilers(request.longest(), Runtime.getRuntime().availableProcessors()));
    words.addAll(
        List.of(
            Generator.class.getName(),
            request.plan().toString(),
            directory.toString(),
            Long.toString(request.longest().toMillis()),
            mode));
    return new JavaCommand(List.copyOf(words));
  }

  static int heapMegabytes(int users) {
    return (int) (BASE_MEGABYTES + MEGABYTES_PER_USER * users);
  }

  /**
   * Level 1 is the first compiler without its profiling. On more cores Java's own choice is best.
   */
  static List<String> compilers(Duration longest, int cores) {
    if (longest.compareTo(SHORT) <= 0) {
      return List.of("-XX:TieredStopAtLevel=1");
    }
    return cores < FEW_CORES ? List.of("-XX:CICompilerCount=" + COMPILERS) : List.of();
  }
}
