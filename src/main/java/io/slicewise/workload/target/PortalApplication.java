package io.slicewise.workload.target;

/**
 * A portal like the one of the 2010 study: a main site, lists, and documents that are kept in the
 * database, behind a session.
 *
 * <p>If its schema is missing at the start it is made, and dropped again at the end; one that is
 * there already is used as it is and left in place.
 */
public final class PortalApplication {
  private PortalApplication() {}

  /**
   * Starts the portal as fast as its machine; it answers when this returns.
   *
   * @throws io.slicewise.base.units.SlicewiseException when the files, the database or the port
   *     cannot be had
   */
  public static SampleApplication start(TargetOptions options) {
    return start(options, Pace.free());
  }

  /** The same at another pace. */
  public static SampleApplication start(TargetOptions options, Pace<PortalStep> pace) {
    return new ServedApplication(
        "portal",
        PortalSchema.of(options.database()),
        options,
        (pool, files, workers) ->
            new PortalHandler(
                new PortalAnswers(new PortalStore(pool), files, new Steps<>(pace, workers))));
  }
}
