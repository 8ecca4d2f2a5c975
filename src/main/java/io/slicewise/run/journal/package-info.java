/**
 * The journal of a run: its events as sealed lines, each on disk before what it announces, and how
 * damage is recognised.
 */
package io.slicewise.run.journal;
