/**
 * The monitors of a trial: xenmon, xentrace with xenalyze, xentop, {@code /proc} counters. Converts
 * their logs to shares of a domain's own vCPU time. Changes no setting of the host.
 */
package io.slicewise.host.monitor;
