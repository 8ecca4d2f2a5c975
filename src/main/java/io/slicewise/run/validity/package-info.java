/**
 * The physics of a trial: rules fixed beforehand by which a trial does not count, each with its
 * reason in words and its likely cause. Judges numbers; measures nothing, changes nothing, and
 * knows neither runner nor files.
 */
package io.slicewise.run.validity;
