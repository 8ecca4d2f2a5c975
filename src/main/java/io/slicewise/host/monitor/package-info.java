/**
 * What is watched during a trial: xenmon, xentrace with xenalyze, xentop, {@code /proc} counters.
 * Turns their logs into shares of a domain's own vCPU time. Changes no setting of the host.
 */
package io.slicewise.host.monitor;
