package io.slicewise.lab.guest;

import io.slicewise.sim.Place;
import io.slicewise.target.Pace;
import io.slicewise.target.PageFiles;
import io.slicewise.target.Step;
import io.slicewise.target.WebApplication;
import io.slicewise.target.WebApplicationOptions;
import io.slicewise.units.SlicewiseException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The web application and its database. They outlive a reboot of the simulated machine: meanwhile
 * every page view fails.
 */
public final class WebGuest implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WebGuest.class);

  private final LabDatabase database;
  private final WebApplication application;

  /** Where the parts of the application run at the moment: the CPU and the domids by part. */
  public record Placement(GuestCpu cpu, Map<Place, Integer> domids) {}

  private WebGuest(LabDatabase database, WebApplication application) {
    this.database = database;
    this.application = application;
  }

  /** Starts database and application; it answers when this returns. */
  public static WebGuest start(
      Path directory, int port, StepCosts costs, AtomicReference<Placement> placement) {
    LabDatabase database = LabDatabase.start(directory.resolve("database"));
    try {
      Path files = directory.resolve("nfs");
      PageFiles.createMissing(files);
      WebApplicationOptions local = WebApplicationOptions.local(database.database(), files);
      return new WebGuest(
          database,
          WebApplication.start(
              new WebApplicationOptions(
                  local.host(),
                  port,
                  local.database(),
                  local.files(),
                  local.connections(),
                  pace(costs, placement))));
    } catch (RuntimeException fault) {
      database.close();
      throw fault;
    }
  }

  private static Pace pace(StepCosts costs, AtomicReference<Placement> placement) {
    return new Pace() {
      @Override
      public CompletionStage<Void> before(Step step) {
        Placement now = placement.get();
        return now.cpu().spend(costs.draw(step, now.domids()));
      }
    };
  }

  public URI uri() {
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
