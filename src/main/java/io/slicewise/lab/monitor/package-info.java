/**
 * The measuring tools of the embedded host: xenmon, xentop, xentrace and xenalyze, fed by the
 * runstate changes of the simulated machine.
 */
package io.slicewise.lab.monitor;
