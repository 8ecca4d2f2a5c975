/**
 * Xen behind {@link io.slicewise.host.Hypervisor}: every text that {@code xm} and {@code xl} print
 * is understood here and nowhere else.
 */
package io.slicewise.host.xen;
