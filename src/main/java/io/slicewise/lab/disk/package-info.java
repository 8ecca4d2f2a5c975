/** The lab's disk: one server in virtual time, and what the kernels above it count. */
package io.slicewise.lab.disk;
