/**
 * What a host with libvirt has below {@code virsh}: the daemon and its guests, their QEMU processes
 * and control groups, and the files that show them. Prints nothing and knows no command.
 */
package io.slicewise.lab.libvirt;
