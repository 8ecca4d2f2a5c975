package io.slicewise.load;

import io.slicewise.load.child.Generator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The command line of a generator's JVM. Its class path travels in the environment, so that process
 * lists stay readable.
 *
 * <p>The parallel collector gives the most requests per CPU-second. The heap is fixed and mostly
 * young, because nearly everything a sample needs is garbage when the sample ends: a collection
 * then costs by the users alive, not by the samples made.
 */
record JavaCommand(List<String> words) {
  private static final Duration SHORT = Duration.ofMinutes(3);
  private static final int BASE_MEGABYTES = 256;
  private static final double MEGABYTES_PER_USER = 0.5;

  static JavaCommand of(LoadRequest request, String mode) {
    int heap = heapMegabytes(request.population());
    Path directory = request.directory();
    return new JavaCommand(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xms" + heap + "m",
            "-Xmx" + heap + "m",
            "-Xmn" + heap * 2 / 3 + "m",
            "-XX:+UseParallelGC",
            "-XX:+PerfDisableSharedMem",
            "-XX:TieredStopAtLevel=" + lastCompiler(request.longest()),
            "-XX:+ExitOnOutOfMemoryError",
            "-Djava.awt.headless=true",
            "-Dfile.encoding=UTF-8",
            "-Djava.util.prefs.userRoot=" + directory.resolve(Generator.HOME),
            "-Dlog4j2.configurationFile=classpath:io/slicewise/load/child/log4j2.xml",
            "-Dslicewise.log=" + directory.resolve("jmeter.log"),
            Generator.class.getName(),
            request.plan().toString(),
            directory.toString(),
            Long.toString(request.longest().toMillis()),
            mode));
  }

  static int heapMegabytes(int users) {
    return (int) (BASE_MEGABYTES + MEGABYTES_PER_USER * users);
  }

  /** 1 is the first compiler without its profiling, 4 the second after it. */
  private static int lastCompiler(Duration longest) {
    return longest.compareTo(SHORT) <= 0 ? 1 : 4;
  }
}
