package io.slicewise.lab.guest;

import io.slicewise.lab.shell.Directories;
import io.slicewise.target.Database;
import io.slicewise.units.Secret;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A PostgreSQL server of its own, from the binaries on the class path. Once a user they are
 * unpacked and an empty database cluster is made, both in the cache directory; a lab starts with a
 * copy of that cluster, which takes a fraction of the time that making one does.
 */
final class LabDatabase implements AutoCloseable {
  /** Raise it when a new cluster would not be like one made before. */
  private static final String CLUSTER = "empty-cluster-18-1";

  private final EmbeddedPostgres postgres;

  /**
   * How much a server is made for.
   *
   * @param sharedBuffers as PostgreSQL writes it
   */
  record Size(int connections, String sharedBuffers) {
    /** For an application with a pool of its own. */
    static final Size SMALL = new Size(40, "16MB");

    /** For clients of its own. */
    static final Size LARGE = new Size(300, "128MB");
  }

  private LabDatabase(EmbeddedPostgres postgres) {
    this.postgres = postgres;
  }

  /**
   * Starts a server whose data lie in that directory; what an earlier lab left there goes.
   *
   * @param size of the server
   */
  static LabDatabase start(Path data, Size size) {
    try {
      Path cache = cache();
      Path cluster = cache.resolve(CLUSTER);
      if (!Files.exists(cluster)) {
        make(cache, cluster);
      }
      Directories.remove(data);
      Files.createDirectories(data.toAbsolutePath().getParent());
      copy(cluster, data);
      return new LabDatabase(server(cache, data, size));
    } catch (IOException fault) {
      throw new UncheckedIOException("the lab's database does not start", fault);
    }
  }

  /** Makes the cluster aside and moves it into place; another lab may have been quicker. */
  private static void make(Path cache, Path cluster) throws IOException {
    Path aside = cache.resolve(CLUSTER + "-" + UUID.randomUUID());
    server(cache, aside, Size.SMALL).close();
    try {
      Files.move(aside, cluster, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileAlreadyExistsException | DirectoryNotEmptyException quicker) {
      Directories.remove(aside);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> parentsFirst = Files.walk(from)) {
      for (Path path : parentsFirst.toList()) {
        Files.copy(path, to.resolve(from.relativize(path)), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  private static EmbeddedPostgres server(Path cache, Path data, Size size) throws IOException {
    return EmbeddedPostgres.builder()
        .setOverrideWorkingDirectory(cache.toFile())
        .setDataDirectory(data)
        .setCleanDataDirectory(false)
        // A lost database is made anew; waiting for the disk would only disturb the clock.
        .setServerConfig("fsync", "off")
        .setServerConfig("synchronous_commit", "off")
        .setServerConfig("full_page_writes", "off")
        .setServerConfig("max_connections", Integer.toString(size.connections))
        .setServerConfig("shared_buffers", size.sharedBuffers)
        .setServerConfig("autovacuum", "off")
        // A query is one guest's vCPU at work, not several processes of this machine.
        .setServerConfig("max_parallel_workers_per_gather", "0")
        .start();
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
  int port() {
    return postgres.getPort();
  }

  /** The options by which an experiment names this database. */
  Map<String, Object> options() {
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("database", database().url());
    options.put("database-user", database().user());
    return options;
  }

  Database database() {
    return new Database(postgres.getJdbcUrl("postgres", "postgres"), "postgres", Secret.NONE);
  }

  @Override
  public void close() {
    try {
      postgres.close();
    } catch (IOException fault) {
      throw new UncheckedIOException("the lab's database does not stop", fault);
    }
  }
}
