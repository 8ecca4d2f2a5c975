/**
 * The part of a libvirt host below {@code virsh}: the daemon and its guests, their QEMU processes
 * and control groups, and the files that show them. Contains no commands and prints nothing.
 */
package io.slicewise.lab.libvirt;
