package io.slicewise.target;

import java.net.URI;

/**
 * A portal like the one of the 2010 study: a main site, lists, and documents that are kept in the
 * database, behind a session.
 *
 * <p>If its schema is missing at the start it is made, and dropped again at the end; one that is
 * there already is used as it is and left in place.
 */
public final class PortalApplication implements SampleApplication {
  private final SchemaKeeper schema;
  private final PortalStore store;
  private final HttpService service;

  private PortalApplication(TargetOptions options, Pace<PortalStep> pace) {
    PageFiles files = PageFiles.in(options.files());
    Opened opened = new Opened();
    try {
      schema = opened.with(new SchemaKeeper(new PortalSchema(options.database())));
      store = opened.with(new PortalStore(options.database(), options.connections()));
      service =
          HttpService.start(
              "portal",
              options,
              workers ->
                  new PortalHandler(new PortalAnswers(store, files, new Steps<>(pace, workers))));
    } catch (RuntimeException fault) {
      opened.close(fault);
      throw fault;
    }
  }

  /**
   * Starts the portal as fast as its machine; it answers when this returns.
   *
   * @throws io.slicewise.units.SlicewiseException when the files, the database or the port cannot
   *     be had
   */
  public static PortalApplication start(TargetOptions options) {
    return start(options, Pace.free());
  }

  /** The same at another pace. */
  public static PortalApplication start(TargetOptions options, Pace<PortalStep> pace) {
    return new PortalApplication(options, pace);
  }

  @Override
  public URI uri() {
    return service.uri();
  }

  @Override
  public void close() {
    Opened.closeAll(service, store, schema);
  }
}
