/**
 * Scheduler profiles: what is to be set for which domain, and the files under {@code
 * scheduler-profiles/}. Knows ranges and units, not how a host is told.
 */
package io.slicewise.profile;
