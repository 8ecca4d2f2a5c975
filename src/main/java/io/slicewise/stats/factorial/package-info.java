/**
 * Several factors swept at once: which cells a design has, the contrasts that are its effects, and
 * their intervals.
 */
package io.slicewise.stats.factorial;
