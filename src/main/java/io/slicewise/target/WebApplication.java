package io.slicewise.target;

import java.net.URI;

/**
 * The web application of the 2010 study as a server: a dynamic page of about 5 KB behind a session,
 * made from a sign-in query, one logged row, one text from the database and two files.
 *
 * <p>If its schema is missing at the start it is made, and dropped again at the end; one that is
 * there already is used as it is and left in place.
 */
public final class WebApplication implements SampleApplication {
  private final SchemaKeeper schema;
  private final PageStore store;
  private final HttpService service;

  private WebApplication(TargetOptions options, Pace<Step> pace) {
    PageFiles files = PageFiles.in(options.files());
    Opened opened = new Opened();
    try {
      schema = opened.with(new SchemaKeeper(new WebAppSchema(options.database())));
      store = opened.with(new PageStore(options.database(), options.connections()));
      service =
          HttpService.start(
              "web application",
              options,
              workers -> new PageHandler(new PageView(store, files, new Steps<>(pace, workers))));
    } catch (RuntimeException fault) {
      opened.close(fault);
      throw fault;
    }
  }

  /**
   * Starts the application as fast as its machine; it answers when this returns.
   *
   * @throws io.slicewise.units.SlicewiseException when the files, the database or the port cannot
   *     be had
   */
  public static WebApplication start(TargetOptions options) {
    return start(options, Pace.free());
  }

  /** The same at another pace. */
  public static WebApplication start(TargetOptions options, Pace<Step> pace) {
    return new WebApplication(options, pace);
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
