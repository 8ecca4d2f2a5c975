/**
 * The Xen host: its toolstack, domains, cpupools, and reading and applying scheduler parameters.
 * Every text that {@code xm} and {@code xl} print is understood here and nowhere else. Knows
 * nothing of trials, journals or loads.
 */
package io.slicewise.host.xen;
