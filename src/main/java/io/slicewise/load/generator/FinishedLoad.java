package io.slicewise.load.generator;

import java.util.List;

/** The outputs of a load's generators. */
public record FinishedLoad(List<GeneratorOutput> generators) {
  public FinishedLoad {
    generators = List.copyOf(generators);
  }
}
