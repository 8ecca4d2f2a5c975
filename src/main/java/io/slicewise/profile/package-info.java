/**
 * Scheduler profiles: the settings of each domain, and the files under {@code scheduler-profiles/}.
 * Contains ranges and units, not the commands that set a host.
 */
package io.slicewise.profile;
