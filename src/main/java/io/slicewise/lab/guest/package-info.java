/**
 * The contents of the lab's guests, one scene per workload: real applications, databases, mail and
 * SSH servers, whose answers wait until the simulated machine has given them their CPU time.
 */
package io.slicewise.lab.guest;
