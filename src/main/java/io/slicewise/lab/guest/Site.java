package io.slicewise.lab.guest;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.target.PageFiles;
import io.slicewise.workload.target.SampleApplication;
import io.slicewise.workload.target.TargetOptions;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A sample application and its database. They survive a reboot of the simulated machine, during
 * which every page view fails.
 */
final class Site implements Scene.Servers {
  private static final Logger LOG = LoggerFactory.getLogger(Site.class);

  private final LabDatabase server;
  private final Database database;
  private final SampleApplication application;

  private Site(LabDatabase server, Database database, SampleApplication application) {
    this.server = server;
    this.database = database;
    this.application = application;
  }

  /** Starts database and application, which accepts requests when this returns. */
  static Site start(
      Path directory, int port, Function<TargetOptions, SampleApplication> application) {
    LabDatabase server = LabDatabase.start(directory.resolve("database"), LabDatabase.Size.SMALL);
    try {
      Database database = server.create("site");
      Path files = directory.resolve("files");
      PageFiles.createMissing(files);
      TargetOptions options = TargetOptions.local(database, files).onPort(port);
      return new Site(server, database, application.apply(options));
    } catch (RuntimeException fault) {
      server.close();
      throw fault;
    }
  }

  URI uri() {
    return application.uri();
  }

  @Override
  public Optional<URI> target() {
    return Optional.of(uri());
  }

  @Override
  public Map<String, Object> options() {
    return server.options(database.url());
  }

  /**
   * Stops both. When the whole process ends, the database may stop before the application has
   * dropped its schema; the data are removed with the lab anyway.
   */
  @Override
  public void close() {
    try {
      application.close();
    } catch (SlicewiseException databaseGone) {
      LOG.debug("the application could not drop its schema", databaseGone);
    } finally {
      server.close();
    }
  }
}
