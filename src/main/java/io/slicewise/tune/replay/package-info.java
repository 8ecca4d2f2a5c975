/**
 * Replays the tuner's decisions thousands of times on a table of means and deviations with a given
 * noise, compared with simpler designs.
 */
package io.slicewise.tune.replay;
