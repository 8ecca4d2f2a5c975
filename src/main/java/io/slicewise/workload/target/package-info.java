/**
 * The sample applications, deployable in a guest: real servers on a real database. Independent of
 * trials, the lab and schedulers; a {@link io.slicewise.workload.target.Pace} lets a host of the
 * application decide when each step may continue.
 */
package io.slicewise.workload.target;
