/**
 * The workloads: those of the studies and users' own plans. Their options in an experiment file,
 * set-up, tear-down and health. Independent of schedulers.
 */
package io.slicewise.workload;
