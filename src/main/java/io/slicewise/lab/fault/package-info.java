/** Injected faults: their kinds, their moments, and the script that counts commands. */
package io.slicewise.lab.fault;
