/**
 * Checks published tables against physical limits and against each other. Nothing is measured again
 * or corrected.
 */
package io.slicewise.evidence.published;
