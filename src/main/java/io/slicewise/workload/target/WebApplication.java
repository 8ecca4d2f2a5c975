package io.slicewise.workload.target;

/**
 * The web application of the 2010 study as a server: a dynamic page of about 5 KB behind a session,
 * made from a sign-in query, one logged row, one text from the database and two files.
 *
 * <p>If its schema is missing at the start it is made, and dropped again at the end; one that is
 * there already is used as it is and left in place.
 */
public final class WebApplication {
  private WebApplication() {}

  /**
   * Starts the application as fast as its machine; it answers when this returns.
   *
   * @throws io.slicewise.base.units.SlicewiseException when the files, the database or the port
   *     cannot be had
   */
  public static SampleApplication start(TargetOptions options) {
    return start(options, Pace.free());
  }

  /** The same at another pace. */
  public static SampleApplication start(TargetOptions options, Pace<Step> pace) {
    return new ServedApplication(
        "web application",
        WebAppSchema.of(options.database()),
        options,
        (pool, files, workers) ->
            new PageHandler(new PageView(new PageStore(pool), files, new Steps<>(pace, workers))));
  }
}
