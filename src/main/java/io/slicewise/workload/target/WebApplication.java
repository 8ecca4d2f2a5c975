package io.slicewise.workload.target;

/**
 * The web application of the 2010 study as a server: a dynamic page of about 5 KB behind a session,
 * made from a sign-in query, one logged row, one text from the database and two files.
 *
 * <p>A missing schema is created at the start and dropped at the end; an existing one is used as it
 * is and kept.
 */
public final class WebApplication {
  private WebApplication() {}

  /**
   * Starts the application, as fast as the machine; it accepts requests when this returns.
   *
   * @throws io.slicewise.base.units.SlicewiseException if the files, the database or the port are
   *     not available
   */
  public static SampleApplication start(TargetOptions options) {
    return start(options, Pace.free());
  }

  /** Starts it at another pace. */
  public static SampleApplication start(TargetOptions options, Pace<Step> pace) {
    return new SampleApplication(
        "web application",
        WebAppSchema.of(options.database()),
        options,
        (pool, files, workers) ->
            new PageHandler(new PageView(new PageStore(pool), files, new Steps<>(pace, workers))));
  }
}
