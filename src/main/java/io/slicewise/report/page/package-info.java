/**
 * The page: a single file that opens from disk, needs no network and draws its own charts. Java
 * writes the frame, the answer, the tables and the data; the scripts draw.
 */
package io.slicewise.report.page;
