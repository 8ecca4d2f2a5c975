/**
 * The measuring tools of the embedded host: xenmon, xentop, xentrace and xenalyze, fed by the
 * simulated machine's changes of runstate.
 */
package io.slicewise.lab.monitor;
