/**
 * The kernels of machines: one persistent command each, what they count between both ends of a
 * window, their disks, and the facts by which a host is known again.
 */
package io.slicewise.host.monitor.machine;
