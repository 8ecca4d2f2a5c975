import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.jmeter.JMeter;

/**
 * JMeter's own report of a result file, {@code jmeter -g FILE -o DIRECTORY}, without an
 * installation: its home is what the configuration jar holds.
 */
final class JMeterReport {
  public static void main(String[] arguments) throws IOException {
    Path home = Path.of(arguments[1] + "-home-" + ProcessHandle.current().pid());
    String jar =
        Stream.of(System.getProperty("java.class.path").split(":"))
            .filter(path -> path.contains("ApacheJMeter_config"))
            .findFirst()
            .orElseThrow();
    try (FileSystem files =
            FileSystems.newFileSystem(URI.create("jar:" + Path.of(jar).toUri()), Map.of());
        Stream<Path> bin = Files.walk(files.getPath("/bin"))) {
      bin.forEach(path -> copy(path, home.resolve(path.toString().substring(1))));
    }
    Files.createDirectories(home.resolve("lib/junit"));
    System.setProperty("java.awt.headless", "true");
    System.setProperty("jmeter.home", home.toString());
    new JMeter()
        .start(
            new String[] {
              "-d", home.toString(),
              "-g", arguments[0],
              "-o", home.resolve("report").toString(),
              "-j", home.resolve("jmeter.log").toString()
            });
  }

  private static void copy(Path from, Path to) {
    try {
      if (Files.isDirectory(from)) {
        Files.createDirectories(to);
      } else {
        try (InputStream in = Files.newInputStream(from)) {
          Files.copy(in, to);
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
