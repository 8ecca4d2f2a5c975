/**
 * The two database workloads, TPC-H's queries and pgbench's TPC-B-like transaction, on PostgreSQL:
 * their tables, marked as created by Slicewise, their data, parameters and answers. Independent of
 * Xen.
 */
package io.slicewise.workload.tpc;
