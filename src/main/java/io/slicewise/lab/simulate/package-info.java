/**
 * Experiments in virtual time: with the same file, plan, rules and run directory as a sweep, and
 * {@code sim} instead of a host. Its parameters of host and application are given, or derived from
 * a measured run. Uses no host and generates no load; its runs are always marked as simulated.
 */
package io.slicewise.lab.simulate;
