/**
 * Sends the plain HTTP requests of a plan for less CPU time than JMeter's own client, with the same
 * bytes on the wire and the same results.
 */
package io.slicewise.load.generator.child.http;
