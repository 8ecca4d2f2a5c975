/** {@code virsh} of libvirt 9.0: its options, its output and its errors, in front of a daemon. */
package io.slicewise.lab.virsh;
