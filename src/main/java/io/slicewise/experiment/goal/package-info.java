/**
 * What decides: goals and guards, the metrics of domains and outcomes, and the goal and search
 * space of a tune.
 */
package io.slicewise.experiment.goal;
