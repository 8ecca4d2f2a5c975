/**
 * Control groups of a Linux host as guests: services, containers and virtual machines alike, set
 * through the kernel's files or through systemd.
 */
package io.slicewise.host.groups;
