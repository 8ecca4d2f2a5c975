package io.slicewise.lab.guest;

import io.slicewise.target.Database;
import io.slicewise.units.Secret;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A PostgreSQL server of its own, from the binaries on the class path. They are unpacked once a
 * user into the cache directory; data live in the lab's directory and go with it.
 */
final class LabDatabase implements AutoCloseable {
  private final EmbeddedPostgres postgres;

  private LabDatabase(EmbeddedPostgres postgres) {
    this.postgres = postgres;
  }

  static LabDatabase start(Path data) {
    try {
      Path cache = cache();
      return new LabDatabase(
          EmbeddedPostgres.builder()
              .setOverrideWorkingDirectory(cache.toFile())
              .setDataDirectory(data)
              .setCleanDataDirectory(true)
              // A lost database is made anew; waiting for the disk would only disturb the clock.
              .setServerConfig("fsync", "off")
              .setServerConfig("synchronous_commit", "off")
              .setServerConfig("full_page_writes", "off")
              .setServerConfig("max_connections", "40")
              .setServerConfig("shared_buffers", "16MB")
              .setServerConfig("autovacuum", "off")
              .start());
    } catch (IOException fault) {
      throw new UncheckedIOException("the lab's database does not start", fault);
    }
  }

  private static Path cache() throws IOException {
    String home = System.getenv("XDG_CACHE_HOME");
    Path base =
        home == null || home.isBlank()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(home);
    return Files.createDirectories(base.resolve("slicewise").resolve("postgres"));
  }

  Database database() {
    return new Database(postgres.getJdbcUrl("postgres", "postgres"), "postgres", Secret.of(""));
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
