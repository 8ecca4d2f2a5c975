/**
 * What runs inside the lab's guests: the real web application on a real database, each of whose
 * steps waits until the simulated machine has given it its CPU time.
 */
package io.slicewise.lab.guest;
