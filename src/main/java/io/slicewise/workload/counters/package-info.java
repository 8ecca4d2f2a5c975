/** Workloads that are a site's own users, as counters that something else keeps show them. */
package io.slicewise.workload.counters;
