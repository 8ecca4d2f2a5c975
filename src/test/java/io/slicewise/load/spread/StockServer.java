package io.slicewise.load.spread;

import static org.awaitility.Awaitility.await;

import io.slicewise.Ports;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * JMeter's own server process, in the layout of a JMeter installation that is made of the jars of
 * the class path.
 */
public final class StockServer implements AutoCloseable {
  public static final String PASSWORD = "kept-from-view";
  private static final Duration LIMIT = Duration.ofSeconds(90);

  private final Process process;
  private final String address;
  private final Path printed;

  private StockServer(Process process, String address, Path printed) {
    this.process = process;
    this.address = address;
    this.printed = printed;
  }

  /** Creates an installation with a keystore that is valid for a day. */
  public static Path install(Path home) throws Exception {
    Path bin = Files.createDirectories(home.resolve("bin"));
    Path ext = Files.createDirectories(home.resolve("lib/ext"));
    Files.createDirectories(home.resolve("lib/junit"));
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path jar = Path.of(entry).toAbsolutePath();
      String name = jar.getFileName().toString();
      if (!name.endsWith(".jar")) {
        continue;
      } else if (name.startsWith("ApacheJMeter_config")) {
        unpackBin(jar, bin);
      }
      if (name.startsWith("ApacheJMeter-")) {
        // It finds the installation by the place of its file.
        Files.copy(jar, bin.resolve("ApacheJMeter.jar"));
      } else {
        Path place = name.startsWith("ApacheJMeter_") ? ext : home.resolve("lib");
        Files.createSymbolicLink(place.resolve(name), jar);
      }
    }
    Files.writeString(
        bin.resolve("user.properties"), "server.rmi.ssl.keystore.password=" + PASSWORD + "\n");
    createKeystore(bin.resolve("rmi_keystore.jks"));
    return home;
  }

  private static void unpackBin(Path jar, Path bin) throws IOException {
    try (FileSystem packed = FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of());
        Stream<Path> files = Files.list(packed.getPath("/bin"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        try (InputStream in = Files.newInputStream(file)) {
          Files.copy(in, bin.resolve(file.getFileName().toString()));
        }
      }
    }
  }

  private static void createKeystore(Path file) throws Exception {
    List<String> words =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-keyalg",
            "RSA",
            "-alias",
            "rmi",
            "-keystore",
            file.toString(),
            "-storepass",
            PASSWORD,
            "-keypass",
            PASSWORD,
            "-validity",
            "1",
            "-dname",
            "CN=rmi");
    if (new ProcessBuilder(words).redirectErrorStream(true).start().waitFor() != 0) {
      throw new IOException("no keystore");
    }
  }

  /** Starts a server on a free port of the loopback interface. */
  public static StockServer start(Path home) throws IOException {
    int port = Ports.free();
    Path bin = home.resolve("bin");
    Path printed = bin.resolve("server-" + port + ".out");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Djava.rmi.server.hostname=127.0.0.1",
                "-jar",
                "ApacheJMeter.jar",
                "-s",
                "-j",
                "server-" + port + ".log",
                "-Jserver_port=" + port)
            .directory(bin.toFile())
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile())
            .start();
    StockServer server = new StockServer(process, "127.0.0.1:" + port, printed);
    await().atMost(LIMIT).until(() -> server.listens(port));
    return server;
  }

  private boolean listens(int port) {
    if (!process.isAlive()) {
      throw new IllegalStateException("the server ended");
    }
    return Ports.listens(port);
  }

  public String address() {
    return address;
  }

  /** Returns how many tests it has started. */
  public long started() {
    return count("Starting the test");
  }

  /** Whether users run there. */
  public boolean isBusy() {
    return started() > count("Finished the test");
  }

  private long count(String words) {
    try (Stream<String> lines = Files.lines(printed)) {
      return lines.filter(line -> line.startsWith(words)).count();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  public ProcessHandle process() {
    return process.toHandle();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
