package io.slicewise.load.generator;

import java.util.List;

/** What the generators of a load left behind, by name. */
public record FinishedLoad(List<GeneratorOutput> generators) {
  public FinishedLoad {
    generators = List.copyOf(generators);
  }
}
