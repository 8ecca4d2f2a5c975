/**
 * Reads and reduces JMeter results, XML and CSV, at disk speed. Damage is counted and never fatal.
 * Independent of trials and hosts.
 */
package io.slicewise.load.jtl;
