package io.slicewise.cli.screens;

import io.slicewise.load.jtl.Reduction;

/** The reduction of a results file and the name given on the command line. */
public record ReducedFile(String file, Reduction reduction) {}
