/**
 * Reading and reducing JMeter results, XML and CSV, at disk speed. Counts damage instead of
 * stumbling over it. Knows nothing of trials or hosts.
 */
package io.slicewise.load.jtl;
