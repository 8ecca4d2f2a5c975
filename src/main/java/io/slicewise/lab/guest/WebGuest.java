package io.slicewise.lab.guest;

import io.slicewise.target.PageFiles;
import io.slicewise.target.SampleApplication;
import io.slicewise.target.TargetOptions;
import io.slicewise.target.WebApplication;
import io.slicewise.units.SlicewiseException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The web application and its database. They outlive a reboot of the simulated machine: meanwhile
 * every page view fails.
 */
final class WebGuest implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WebGuest.class);

  private final LabDatabase database;
  private final SampleApplication application;

  private WebGuest(LabDatabase database, SampleApplication application) {
    this.database = database;
    this.application = application;
  }

  /** Starts database and application; it answers when this returns. */
  static WebGuest start(Path directory, int port, StepCosts costs, GuestHost host) {
    LabDatabase database = LabDatabase.start(directory.resolve("database"), LabDatabase.Size.SMALL);
    try {
      Path files = directory.resolve("nfs");
      PageFiles.createMissing(files);
      TargetOptions options = TargetOptions.local(database.database(), files).onPort(port);
      return new WebGuest(
          database, WebApplication.start(options, step -> host.spend(costs.draw(step))));
    } catch (RuntimeException fault) {
      database.close();
      throw fault;
    }
  }

  /** The options by which an experiment names the database. */
  Map<String, Object> databaseOptions() {
    return database.options();
  }

  URI uri() {
    return application.uri();
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
      LOG.debug("the web application could not drop its schema", databaseGone);
    } finally {
      database.close();
    }
  }
}
