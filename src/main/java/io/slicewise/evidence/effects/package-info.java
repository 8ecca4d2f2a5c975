/** Main effects and interactions of the factors of a run. */
package io.slicewise.evidence.effects;
