import io.slicewise.load.access.LineFormats.LineFormat;
import io.slicewise.load.access.LineFormats;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** Reads the lines of a log again and again: lines per second, and CPU time of a line. */
public final class AccessLogBench {
  private AccessLogBench() {}

  public static void main(String[] arguments) throws Exception {
    if (arguments.length < 2) {
      System.err.println("usage: AccessLogBench FILE FORMAT [LINE]");
      System.exit(2);
    }
    LineFormat format =
        new LineFormats(
                arguments[1],
                arguments.length > 2 ? Optional.of(arguments[2]) : Optional.empty(),
                Map.of(),
                Optional.empty())
            .at(ZoneOffset.UTC);
    List<String> lines = new ArrayList<>();
    Path file = Path.of(arguments[0]);
    try (InputStream raw = Files.newInputStream(file);
        InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.ISO_8859_1))) {
      reader.lines().forEach(lines::add);
    }
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    for (int pass = 1; pass <= 4; pass++) {
      long understood = 0;
      long read = 0;
      long cpu = threads.getCurrentThreadCpuTime();
      long began = System.nanoTime();
      while (System.nanoTime() - began < 1_000_000_000L) {
        for (String line : lines) {
          understood += format.read(line).isPresent() ? 1 : 0;
        }
        read += lines.size();
      }
      double seconds = (System.nanoTime() - began) / 1e9;
      System.out.printf(
          "pass %d: %,.0f lines/s, %.2f µs CPU a line; %.3f %% not understood%n",
          pass,
          read / seconds,
          (threads.getCurrentThreadCpuTime() - cpu) / 1e3 / read,
          100.0 * (read - understood) / read);
    }
  }
}
