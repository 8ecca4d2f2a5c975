/**
 * A tune on a host: its candidates and its next measurements, computed from a run's history alone.
 */
package io.slicewise.tune.course;
