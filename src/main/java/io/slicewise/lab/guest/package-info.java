/**
 * What runs inside the lab's guests, a scene for each workload: real applications, databases, mail
 * and SSH servers, whose answers wait until the simulated machine has given them their CPU time.
 */
package io.slicewise.lab.guest;
