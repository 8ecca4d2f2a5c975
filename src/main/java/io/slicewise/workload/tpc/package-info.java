/**
 * The two database workloads, TPC-H's queries and pgbench's TPC-B-like transaction, on PostgreSQL:
 * their tables, marked as made here, their data, parameters and answers. Knows nothing of Xen.
 */
package io.slicewise.workload.tpc;
