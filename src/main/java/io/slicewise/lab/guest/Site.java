package io.slicewise.lab.guest;

import io.slicewise.target.PageFiles;
import io.slicewise.target.SampleApplication;
import io.slicewise.target.TargetOptions;
import io.slicewise.units.SlicewiseException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A sample application and its database. They outlive a reboot of the simulated machine: meanwhile
 * every page view fails.
 */
final class Site implements Scene.Servers {
  private static final Logger LOG = LoggerFactory.getLogger(Site.class);

  private final LabDatabase database;
  private final SampleApplication application;

  private Site(LabDatabase database, SampleApplication application) {
    this.database = database;
    this.application = application;
  }

  /** Starts database and application; it answers when this returns. */
  static Site start(
      Path directory, int port, Function<TargetOptions, SampleApplication> application) {
    LabDatabase database = LabDatabase.start(directory.resolve("database"), LabDatabase.Size.SMALL);
    try {
      Path files = directory.resolve("files");
      PageFiles.createMissing(files);
      TargetOptions options = TargetOptions.local(database.database(), files).onPort(port);
      return new Site(database, application.apply(options));
    } catch (RuntimeException fault) {
      database.close();
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
    return database.options();
  }

  /**
   * Ends both. When the whole process ends, the database may be down before the application has
   * dropped its schema; since the data go with the lab, that is no loss.
   */
  @Override
  public void close() {
    try {
      application.close();
    } catch (SlicewiseException databaseGone) {
      LOG.debug("the application could not drop its schema", databaseGone);
    } finally {
      database.close();
    }
  }
}
