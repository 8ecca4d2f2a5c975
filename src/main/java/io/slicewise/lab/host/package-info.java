/**
 * The embedded machine below the tools: the simulated hypervisor and its hypercalls, driven in step
 * with the wall clock, and the control domain's information about the machine. Contains no commands
 * and prints nothing.
 */
package io.slicewise.lab.host;
