/** The answers of a run's host to every command, kept in the run directory. */
package io.slicewise.run.recording;
