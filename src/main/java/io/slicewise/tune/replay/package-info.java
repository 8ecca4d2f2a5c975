/**
 * The tuner's decisions on a table of means and deviations with a stated noise, thousands of times,
 * beside simpler designs.
 */
package io.slicewise.tune.replay;
