/**
 * The rules of validity: fixed beforehand, they exclude trials, each with a reason and a likely
 * cause. Judges numbers only, independent of the runner and of files.
 */
package io.slicewise.run.validity;
