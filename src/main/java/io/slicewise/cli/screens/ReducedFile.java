package io.slicewise.cli.screens;

import io.slicewise.load.jtl.Reduction;

/** A results file by the name it was asked for, and its reduction. */
public record ReducedFile(String file, Reduction reduction) {}
