/**
 * The page: one file that opens from disk, asks the network for nothing and draws its own charts.
 * Java writes the frame, the answer, the tables and the data; the scripts beside it draw.
 */
package io.slicewise.report.page;
