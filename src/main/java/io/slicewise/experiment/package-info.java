/**
 * The experiment file, the plan made from it, and the order of its trials. Pure: reads files, talks
 * to no host.
 */
package io.slicewise.experiment;
