/**
 * A host as all others know it: its hypervisor, domains, pools and settings, whichever product
 * drives it. Knows nothing of trials, journals or loads.
 */
package io.slicewise.host;
