/**
 * Runs a JMeter plan in its own JVM: prepares, starts, watches and stops it, and measures the
 * health of the generator. Independent of Xen.
 */
package io.slicewise.load.generator;
