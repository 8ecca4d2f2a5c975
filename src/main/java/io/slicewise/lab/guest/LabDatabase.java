package io.slicewise.lab.guest;

import io.slicewise.base.units.Secret;
import io.slicewise.workload.target.Database;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;

/**
 * A PostgreSQL server of its own, from the binaries on the class path. Once a user they are
 * unpacked and an empty database cluster is made, both in the cache directory; a lab starts with a
 * copy of that cluster, which takes a fraction of the time that making one does.
 *
 * <p>Other users of this machine cannot get in: the server listens on loopback alone, on no Unix
 * socket, and asks everybody for a password (scram-sha-256). Applications sign in with a role that
 * is not a superuser; its random password is handed over in a file of mode 600. The superuser's
 * password stays in the cluster's directory, which its owner alone can read.
 */
public final class LabDatabase implements AutoCloseable {
  /** Raise it when a new cluster would not be like one made before. */
  private static final String CLUSTER = "cluster-18-2";

  private static final String SUPERUSER = "postgres";
  private static final String SUPERUSER_PASSWORD = "superuser-password";
  private static final String ROLE = "slicewise";
  private static final String SCRAM = "scram-sha-256";

  private final EmbeddedPostgres postgres;
  private final ParentWatch watch;
  private final Secret superuser;
  private final Secret password;
  private final Path passwordFile;

  /**
   * How much a server is made for.
   *
   * @param sharedBuffers as PostgreSQL writes it
   */
  public record Size(int connections, String sharedBuffers) {
    /** For an application with a pool of its own. */
    public static final Size SMALL = new Size(40, "16MB");

    /** For clients of its own. */
    public static final Size LARGE = new Size(300, "128MB");
  }

  private LabDatabase(EmbeddedPostgres postgres, ParentWatch watch, Path data) throws IOException {
    this.postgres = postgres;
    this.watch = watch;
    superuser = Secret.inFile(data.resolve(SUPERUSER_PASSWORD));
    password = PrivateFiles.randomSecret();
    passwordFile = data.resolveSibling(data.getFileName() + "-password");
    PrivateFiles.write(passwordFile, password.reveal() + "\n");
    administer("CREATE ROLE %s LOGIN PASSWORD '%s'".formatted(ROLE, password.reveal()));
  }

  /**
   * Starts a server whose data are in that directory; what an earlier lab left there is removed. It
   * ends with this process, however that ends.
   */
  public static LabDatabase start(Path data, Size size) {
    try {
      Path cache = cache();
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
      throw new UncheckedIOException("the lab's database does not start", fault);
    }
  }

  private static LabDatabase started(Path cache, Path data, Size size) throws IOException {
    ParentWatch watch = ParentWatch.ofServerIn(data);
    try {
      Secret password = Secret.inFile(data.resolve(SUPERUSER_PASSWORD));
      return new LabDatabase(
          server(cache, data, size).setConnectConfig("password", password.reveal()).start(),
          watch,
          data);
    } catch (IOException | RuntimeException fault) {
      watch.close(); // ends a server that started and could not be set up
      throw fault;
    }
  }

  /** Makes the cluster aside and moves it into place; another lab may have been quicker. */
  private static void make(Path cache, Path cluster) throws IOException {
    Path aside = cache.resolve(CLUSTER + "-" + UUID.randomUUID());
    Path passwordFile = aside.resolveSibling(aside.getFileName() + "-password");
    Secret password = PrivateFiles.randomSecret();
    PrivateFiles.write(passwordFile, password.reveal() + "\n");
    // The library hands what it takes for settings of the locale to initdb as they are.
    server(cache, aside, Size.SMALL)
        .setLocaleConfig("auth-local", SCRAM)
        .setLocaleConfig("auth-host", SCRAM)
        .setLocaleConfig("pwfile", passwordFile.toString())
        .setConnectConfig("password", password.reveal())
        .start()
        .close();
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
        // A lost database is made anew; waiting for the disk would only disturb the clock.
        .setServerConfig("fsync", "off")
        .setServerConfig("synchronous_commit", "off")
        .setServerConfig("full_page_writes", "off")
        .setServerConfig("max_connections", Integer.toString(size.connections))
        .setServerConfig("shared_buffers", size.sharedBuffers)
        .setServerConfig("autovacuum", "off")
        // A query is one guest's vCPU at work, not several processes of this machine.
        .setServerConfig("max_parallel_workers_per_gather", "0");
  }

  private static Path cache() throws IOException {
    String home = System.getenv("XDG_CACHE_HOME");
    Path base =
        home == null || home.isBlank()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(home);
    return Files.createDirectories(base.resolve("slicewise").resolve("postgres"));
  }

  /** Where the server listens on this machine. */
  public int port() {
    return postgres.getPort();
  }

  /** Makes an empty database that belongs to the applications' role. */
  public Database create(String name) {
    administer("CREATE DATABASE %s OWNER %s".formatted(name, ROLE));
    return new Database(url(name), ROLE, password);
  }

  /** The options by which an experiment names a database at that address. */
  Map<String, Object> options(String url) {
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("database", url);
    options.put("database-user", ROLE);
    options.put("database-password-file", passwordFile.toString());
    return options;
  }

  /** Runs a statement as the superuser. */
  public void administer(String sql) {
    Database inside = new Database(url(SUPERUSER), SUPERUSER, superuser);
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
      postgres.close();
    } catch (IOException fault) {
      throw new UncheckedIOException("the lab's database does not stop", fault);
    } finally {
      watch.close();
    }
  }
}
