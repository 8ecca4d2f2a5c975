package io.slicewise.load.generator;

import java.nio.file.Path;

/** The samples a load left behind ({@code samples.jtl.gz}) and how its generator fared. */
public record FinishedLoad(Path samples, GeneratorHealth health) {}
