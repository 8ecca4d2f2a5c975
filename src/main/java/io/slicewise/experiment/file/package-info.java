/**
 * The experiment file: one reader for each of its sections, and the writer. All faults of a file
 * are collected before any is reported.
 */
package io.slicewise.experiment.file;
