/**
 * QEMU/KVM guests under libvirt, through {@code virsh}; the control groups behind them; everything
 * that these print.
 */
package io.slicewise.host.libvirt;
