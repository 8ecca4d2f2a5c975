/**
 * The experiment in virtual time: the same file, plan, rules and run directory as a sweep's, with
 * {@code sim} in the place of a host. What it needs to know of host and application it is told, or
 * derives from a run that was measured. Touches no host and makes no load; a reader of its runs
 * must see that they were simulated.
 */
package io.slicewise.lab.simulate;
