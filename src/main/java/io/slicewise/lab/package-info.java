/**
 * The embedded Xen host: an SSH server that offers {@code xm}, {@code xl} and {@code xenmon},
 * guests whose CPU time {@code sim} schedules, and real servers in the guests. The code that
 * measures does not depend on it.
 */
package io.slicewise.lab;
