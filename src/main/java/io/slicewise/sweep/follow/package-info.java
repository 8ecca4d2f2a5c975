/** Follows a policy: reads the load, switches settings, and compares it with a fixed setting. */
package io.slicewise.sweep.follow;
