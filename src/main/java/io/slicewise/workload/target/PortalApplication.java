package io.slicewise.workload.target;

import io.slicewise.workload.target.Pace.Steps;

/**
 * A portal like the one of the 2010 study: a main site, lists, and documents that are kept in the
 * database, behind a session.
 *
 * <p>A missing schema is created at the start and dropped at the end; an existing one is used as it
 * is and kept.
 */
public final class PortalApplication {
  private PortalApplication() {}

  /**
   * Starts the portal, as fast as the machine; it accepts requests when this returns.
   *
   * @throws io.slicewise.base.units.SlicewiseException if the files, the database or the port are
   *     not available
   */
  public static SampleApplication start(TargetOptions options) {
    return start(options, Pace.free());
  }

  /** Starts it at another pace. */
  public static SampleApplication start(TargetOptions options, Pace<PortalStep> pace) {
    return new SampleApplication(
        "portal",
        PortalSchema.of(options.database()),
        options,
        (pool, files, workers) ->
            new PortalHandler(
                new PortalAnswers(new PortalStore(pool), files, new Steps<>(pace, workers))));
  }

  /** The steps of the portal's answers; each answer takes some of them, in this order. */
  public enum PortalStep {
    /** The request was read and its work begins. */
    RECEIVE,
    /** The user's name and MD5 password hash are looked up in {@code users}. */
    SIGN_IN_QUERY,
    /** One row goes into {@code lists}. */
    LIST_INSERT,
    /** A document goes into {@code documents}. */
    DOCUMENT_INSERT,
    /** A document is read from {@code documents}. */
    DOCUMENT_QUERY,
    /** The newest lists are read for the main site. */
    SITE_QUERY,
    /** Header and footer are read from the file directory. */
    FILES,
    /** The page is assembled. */
    RENDER,
    /** The answer is sent to the network. */
    SEND
  }
}
