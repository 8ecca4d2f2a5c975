/**
 * The interface to a host: its hypervisor, domains, pools and settings, independent of the product.
 * Independent of trials, journals and loads.
 */
package io.slicewise.host;
