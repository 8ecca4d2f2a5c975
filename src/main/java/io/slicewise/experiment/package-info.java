/**
 * The experiment file, the plan made from it, and the order of its trials. Reads files; does not
 * access hosts.
 */
package io.slicewise.experiment;
