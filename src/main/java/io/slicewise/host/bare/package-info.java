/** A machine without a hypervisor, whose own kernel is measured. */
package io.slicewise.host.bare;
