/**
 * The embedded host, with Xen, libvirt or no hypervisor: an SSH server that offers its tools,
 * guests whose CPU time {@code sim} schedules, and real servers in the guests. The code that
 * measures does not depend on it.
 */
package io.slicewise.lab;
