/**
 * Running a JMeter plan in a JVM of its own: preparing, starting, watching, stopping and ending it,
 * and the health of the generator. Knows nothing of Xen.
 */
package io.slicewise.load.generator;
