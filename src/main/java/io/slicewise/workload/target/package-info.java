/**
 * The sample applications that are loaded, deployable in a guest: real servers on a real database.
 * Knows nothing of trials, of the lab or of schedulers; a {@link io.slicewise.workload.target.Pace}
 * lets a host of the application decide when each step may go on.
 */
package io.slicewise.workload.target;
