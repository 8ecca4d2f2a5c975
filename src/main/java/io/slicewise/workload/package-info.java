/**
 * What is loaded: the studies' workloads and any plan of one's own. The options each takes from an
 * experiment file, its set-up, tear-down and health. Knows nothing of schedulers.
 */
package io.slicewise.workload;
