/**
 * A pure, deterministic, discrete-event model of Xen's schedulers. Knows nothing of SSH, HTTP or
 * wall clocks.
 */
package io.slicewise.lab.sim;
