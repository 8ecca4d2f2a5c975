package io.slicewise.lab.guest;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.OwnProcesses;
import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.UserDirectory;
import io.slicewise.workload.target.Database;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;

/**
 * A private PostgreSQL server, from the binaries on the class path. Once per user they are unpacked
 * and an empty database cluster is created, both in the cache directory; a lab starts with a copy
 * of that cluster, which is much faster than creating one.
 *
 * <p>Other users of this machine have no access: the server listens only on loopback, on no Unix
 * socket, and always requires a password (scram-sha-256). Applications sign in with a role that is
 * not a superuser; its random password is passed in a file of mode 600. The superuser's password
 * stays in the cluster's directory, which only its owner can read.
 */
public final class LabDatabase implements AutoCloseable {
  /** The version of the cluster; raise it if new clusters differ from existing ones. */
  private static final String CLUSTER = "cluster-18-2";

  private static final String SUPERUSER = "postgres";
  private static final String SUPERUSER_PASSWORD = "superuser-password";
  private static final String ROLE = "slicewise";
  private static final String SCRAM = "scram-sha-256";

  private final Path cache;
  private final Path data;
  private long process;
  private final Size size;
  private EmbeddedPostgres postgres;
  private final ParentWatch watch;
  private final Secret superuser;
  private final Secret password;
  private final Path passwordFile;

  /**
   * The size of a server.
   *
   * @param sharedBuffers as PostgreSQL writes it
   * @param preloaded libraries that are loaded at its start
   */
  public record Size(int connections, String sharedBuffers, String preloaded) {
    /** For an application with its own connection pool. */
    public static final Size SMALL = new Size(40, "16MB");

    /** For many separate clients. */
    public static final Size LARGE = new Size(300, "128MB");

    /** A server without further libraries. */
    public Size(int connections, String sharedBuffers) {
      this(connections, sharedBuffers, "");
    }
  }

  private LabDatabase(ParentWatch watch, Path cache, Path data, Size size) throws IOException {
    this.watch = watch;
    this.cache = cache;
    this.data = data;
    this.size = size;
    superuser = Secret.inFile(data.resolve(SUPERUSER_PASSWORD));
    postgres = started(server(cache, data, size));
    password = PrivateFiles.randomSecret();
    passwordFile = data.resolveSibling(data.getFileName() + "-password");
    PrivateFiles.write(passwordFile, password.reveal() + "\n");
    administer("CREATE ROLE %s LOGIN PASSWORD '%s'".formatted(ROLE, password.reveal()));
  }

  /**
   * Starts a server with its data in a directory, after removing data of an earlier lab. The server
   * ends with this process in any case.
   */
  public static LabDatabase start(Path data, Size size) {
    try {
      Path cache = UserDirectory.CACHE.of("postgres");
      Path cluster = cache.resolve(CLUSTER);
      if (!Files.exists(cluster)) {
        make(cache, cluster);
      }
      Path place = data.toAbsolutePath();
      FileUtils.deleteQuietly(place.toFile());
      Files.createDirectories(place.getParent());
      copy(cluster, place);
      return started(cache, place, size);
    } catch (IOException fault) {
      throw new UncheckedIOException("the lab's database could not start", fault);
    }
  }

  private static LabDatabase started(Path cache, Path data, Size size) throws IOException {
    ParentWatch watch = ParentWatch.ofServerIn(data);
    try {
      return new LabDatabase(watch, cache, data, size);
    } catch (IOException | RuntimeException fault) {
      watch.close(); // ends a server that started and could not be set up
      throw fault;
    }
  }

  /** Creates the cluster in a temporary place and moves it; another lab may have been faster. */
  private static void make(Path cache, Path cluster) throws IOException {
    Path aside = cache.resolve(CLUSTER + "-" + UUID.randomUUID());
    Path passwordFile = aside.resolveSibling(aside.getFileName() + "-password");
    Secret password = PrivateFiles.randomSecret();
    PrivateFiles.write(passwordFile, password.reveal() + "\n");
    try {
      // The library passes its locale settings to initdb unchanged.
      server(cache, aside, Size.SMALL)
          .setLocaleConfig("auth-local", SCRAM)
          .setLocaleConfig("auth-host", SCRAM)
          .setLocaleConfig("pwfile", passwordFile.toString())
          .setConnectConfig("password", password.reveal())
          .start()
          .close();
    } catch (IllegalStateException refused) {
      Files.deleteIfExists(passwordFile);
      FileUtils.deleteQuietly(aside.toFile());
      throw new SlicewiseException(
          ErrorKind.NOT_READY,
          "the lab's database cannot be made in " + cache + ": initdb of PostgreSQL failed",
          "as root it needs user namespaces, which containers and chroot often deny: run as another"
              + " user",
          refused);
    }
    Files.move(passwordFile, aside.resolve(SUPERUSER_PASSWORD));
    try {
      Files.move(aside, cluster, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileAlreadyExistsException | DirectoryNotEmptyException quicker) {
      FileUtils.deleteQuietly(aside.toFile());
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> parentsFirst = Files.walk(from)) {
      for (Path path : parentsFirst.toList()) {
        Files.copy(path, to.resolve(from.relativize(path)), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  private static EmbeddedPostgres.Builder server(Path cache, Path data, Size size) {
    return EmbeddedPostgres.builder()
        .setOverrideWorkingDirectory(cache.toFile())
        .setDataDirectory(data)
        .setCleanDataDirectory(false)
        .setServerConfig("unix_socket_directories", "")
        // A lost database is created again; waiting for the disk would only disturb the clock.
        .setServerConfig("fsync", "off")
        .setServerConfig("synchronous_commit", "off")
        .setServerConfig("full_page_writes", "off")
        .setServerConfig("max_connections", Integer.toString(size.connections))
        .setServerConfig("shared_buffers", size.sharedBuffers)
        .setServerConfig("shared_preload_libraries", size.preloaded)
        .setServerConfig("autovacuum", "off")
        // A query uses one vCPU of a guest, not several processes of this machine.
        .setServerConfig("max_parallel_workers_per_gather", "0");
  }

  private EmbeddedPostgres started(EmbeddedPostgres.Builder builder) throws IOException {
    EmbeddedPostgres server = builder.setConnectConfig("password", superuser.reveal()).start();
    try (Stream<String> lines = Files.lines(data.resolve("postmaster.pid"))) {
      process = lines.findFirst().map(Long::parseLong).orElseThrow();
    }
    OwnProcesses.add(process);
    return server;
  }

  /** The server's port on this machine. */
  public synchronized int port() {
    return postgres.getPort();
  }

  /** Stops the server, which keeps its data and its port. */
  synchronized void stop() {
    OwnProcesses.remove(process);
    try {
      postgres.close();
    } catch (IOException fault) {
      throw new UncheckedIOException("the lab's database could not be stopped", fault);
    }
  }

  /** Starts the server again after it was stopped, with its own caches empty. */
  synchronized void restart() {
    try {
      postgres = started(server(cache, data, size).setPort(postgres.getPort()));
    } catch (IOException fault) {
      throw new UncheckedIOException("the lab's database could not start again", fault);
    }
  }

  /** Creates an empty database that belongs to the applications' role. */
  public Database create(String name) {
    administer("CREATE DATABASE %s OWNER %s".formatted(name, ROLE));
    return new Database(url(name), ROLE, password);
  }

  /** The options with which an experiment names a database at an address. */
  Map<String, Object> options(String url) {
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("database", url);
    options.put("database-user", ROLE);
    options.put("database-password-file", passwordFile.toString());
    return options;
  }

  /** Runs a statement as the superuser. */
  public void administer(String sql) {
    administer(SUPERUSER, sql);
  }

  /** Runs a statement as the superuser in a database. */
  public void administer(String name, String sql) {
    Database inside = new Database(url(name), SUPERUSER, superuser);
    try (Connection connection = inside.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException fault) {
      throw inside.fault("being prepared", fault);
    }
  }

  private String url(String database) {
    return "jdbc:postgresql://localhost:" + port() + "/" + database;
  }

  @Override
  public void close() {
    try {
      stop();
    } finally {
      watch.close();
    }
  }

  /**
   * Ends a PostgreSQL server with this process, even if the process is killed.
   *
   * <p>A shell waits for the end of its standard input, a pipe that only this process holds open;
   * the kernel closes it with the process. The shell then stops the server named in its data
   * directory, if that is still the process with that number, and removes the data. It ignores the
   * signals that a terminal sends to all processes in the foreground.
   */
  static final class ParentWatch implements AutoCloseable {
    private static final String SCRIPT =
        """
        trap '' HUP INT QUIT TERM
        cat >/dev/null
        pid=
        [ ! -f "$0/postmaster.pid" ] || IFS= read -r pid <"$0/postmaster.pid"
        serves() {
          [ -n "$pid" ] && { cat "/proc/$pid/cmdline" || ps -p "$pid" -o args=; } 2>/dev/null | grep -qF -- "$0"
        }
        stopped() {
          n=0
          while serves; do
            [ $n -lt 10 ] || return 1
            n=$((n + 1))
            sleep 1
          done
        }
        for signal in INT QUIT KILL; do
          serves || break
          kill -s $signal "$pid"
          stopped && break
        done
        rm -rf -- "$0"
        """;
    private static final int PATIENCE_SECONDS = 60;

    private final Process shell;

    private ParentWatch(Process shell) {
      this.shell = shell;
    }

    /** Starts the watch before the server, so that no server is ever without a watch. */
    static ParentWatch ofServerIn(Path data) throws IOException {
      return new ParentWatch(
          new ProcessBuilder("sh", "-c", SCRIPT, data.toString())
              .directory(data.toAbsolutePath().getRoot().toFile())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start());
    }

    /**
     * Stops the server if it still runs, removes its data, and returns when the watch has ended.
     */
    @Override
    public void close() {
      try {
        shell.getOutputStream().close();
        if (!shell.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          shell.destroyForcibly();
        }
      } catch (IOException fault) {
        throw new UncheckedIOException(
            "the watch over the lab's database could not be ended", fault);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Creates random passwords, and files of mode 600 to pass them. */
  static final class PrivateFiles {
    private static final int BYTES = 24;
    private static final SecureRandom RANDOM = new SecureRandom();

    private PrivateFiles() {}

    static Secret randomSecret() {
      byte[] bytes = new byte[BYTES];
      RANDOM.nextBytes(bytes);
      return Secret.of(HexFormat.of().formatHex(bytes));
    }

    /** Writes a file that only its owner can read at any time; replaces an existing one. */
    static void write(Path file, String text) throws IOException {
      Files.deleteIfExists(file);
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(file, text);
    }
  }
}
