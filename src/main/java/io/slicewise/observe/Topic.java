package io.slicewise.observe;

/**
 * What an observer reports on; the observations of one topic fill one table.
 *
 * @param name of the table and its file, such as {@code shares}
 * @param title of the table
 * @param placeHeading heading of the column of places; empty where the title names the one place
 */
public record Topic(String name, String title, String placeHeading) {}
