/**
 * The checks before a run: what would stop it, what would spoil it, and the way out. Looks at the
 * host, the target, the plan and this machine, and changes none of them. One class a family of
 * checks; knows nothing of screens.
 */
package io.slicewise.sweep.preflight;
