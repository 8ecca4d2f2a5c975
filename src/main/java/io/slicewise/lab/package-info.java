/**
 * The embedded Xen host: an SSH server that speaks {@code xm}, {@code xl} and {@code xenmon},
 * guests whose CPU time {@code sim} hands out, real servers in the guests. Nothing in the measuring
 * path knows it.
 */
package io.slicewise.lab;
