/**
 * Statistical procedures, from samples to estimates: one class per procedure, each with its formula
 * and source. Independent of trials, hosts and files.
 */
package io.slicewise.stats;
