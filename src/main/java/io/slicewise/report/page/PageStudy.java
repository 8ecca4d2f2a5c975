package io.slicewise.report.page;

/**
 * The study that a run is for.
 *
 * @param answer on one line; the page's answer if the run compares no profiles
 * @param markup of its section
 */
public record PageStudy(String answer, String markup) {}
