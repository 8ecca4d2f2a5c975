/**
 * The checks before a run: problems that would stop or invalidate it, and what to do about them.
 * Reads the host, the target, the plan and this machine, and changes none of them. One class per
 * family of checks; independent of screens.
 */
package io.slicewise.sweep.preflight;
