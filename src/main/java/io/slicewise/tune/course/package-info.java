/**
 * A tune on a host: its candidates, and what is measured next, worked out from a run's history
 * alone.
 */
package io.slicewise.tune.course;
