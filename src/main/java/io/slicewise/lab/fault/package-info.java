/** Faults on demand: what shall go wrong, when, and the script that remembers what has. */
package io.slicewise.lab.fault;
