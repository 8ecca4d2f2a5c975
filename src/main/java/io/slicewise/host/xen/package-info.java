/**
 * The implementation of {@link io.slicewise.host.Hypervisor} for Xen: all output of {@code xm} and
 * {@code xl} is parsed here.
 */
package io.slicewise.host.xen;
