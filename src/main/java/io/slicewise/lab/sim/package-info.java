/**
 * A pure, deterministic, discrete-event model of Xen's schedulers. Independent of SSH, HTTP and
 * wall clocks.
 */
package io.slicewise.lab.sim;
