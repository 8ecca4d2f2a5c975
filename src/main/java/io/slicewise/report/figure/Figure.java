package io.slicewise.report.figure;

/**
 * A drawing that needs no script.
 *
 * @param name in files and on the command line
 * @param note what its marks mean
 * @param svg a whole document
 */
public record Figure(String name, String title, String note, String svg) {}
