/**
 * QEMU/KVM guests under libvirt, through {@code virsh} and their control groups; parses all of that
 * output.
 */
package io.slicewise.host.libvirt;
