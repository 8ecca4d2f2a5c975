/**
 * The embedded machine below the tools: the simulated hypervisor behind its hypercalls, driven in
 * step with the wall clock, and what the control domain knows of itself. Prints nothing and knows
 * no command.
 */
package io.slicewise.lab.host;
