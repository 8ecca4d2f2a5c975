/**
 * What is loaded: web application, observe, and any plan of one's own. Set-up, tear-down and health
 * of each. Knows nothing of schedulers.
 */
package io.slicewise.workload;
