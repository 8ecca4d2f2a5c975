/**
 * {@code virsh} of libvirt 9.0: its options, its output and its errors, as a client of the daemon.
 */
package io.slicewise.lab.virsh;
