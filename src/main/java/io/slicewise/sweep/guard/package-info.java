/**
 * What may change a host and puts it back: the settings guard, the lock, the shells, and the dead
 * man's switch of a run.
 */
package io.slicewise.sweep.guard;
