package io.slicewise.observe;

/**
 * The subject of an observer; the observations of one topic form one table.
 *
 * @param name of the table and its file, such as {@code shares}
 * @param title of the table
 * @param placeHeading heading of the column of places; empty if the title names the only place
 */
public record Topic(String name, String title, String placeHeading) {}
