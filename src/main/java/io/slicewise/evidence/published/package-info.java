/**
 * Tables that others printed, held against physics and against each other: nothing in them is
 * measured again, and nothing is put right.
 */
package io.slicewise.evidence.published;
