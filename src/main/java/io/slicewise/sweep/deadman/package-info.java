/** The dead man's switch: a program on the host that restores it if a run's heartbeats stop. */
package io.slicewise.sweep.deadman;
