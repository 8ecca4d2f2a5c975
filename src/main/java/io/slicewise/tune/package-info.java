/**
 * The decisions of the tuner: what to measure next, which candidates leave the race, when to stop,
 * and the answer. Uses observations only, no hosts or files.
 */
package io.slicewise.tune;
