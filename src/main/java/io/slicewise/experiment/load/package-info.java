/**
 * The axes of load (users, rate, guests, neighbours, parts), their levels, and a load as a point on
 * them.
 */
package io.slicewise.experiment.load;
