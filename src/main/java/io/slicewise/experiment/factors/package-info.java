/** The factors of an experiment: parameters with several values each, and the profiles of them. */
package io.slicewise.experiment.factors;
