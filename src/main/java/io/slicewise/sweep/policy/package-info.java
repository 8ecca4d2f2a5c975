/** Policies: bands of a load and the settings of each; their file, and which band applies. */
package io.slicewise.sweep.policy;
