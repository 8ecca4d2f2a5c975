package io.slicewise.load.spread;

import io.slicewise.base.units.SlicewiseException;
import java.util.Optional;

/**
 * A generator's machine as it was found.
 *
 * @param facts empty if it cannot be read
 * @param fault why it cannot be read, and what to do about it; empty if it can
 */
public record Looked(String name, Optional<MachineFacts> facts, String fault, String wayOut) {
  static Looked at(GeneratorHost host) {
    try {
      return new Looked(host.machine().name(), Optional.of(host.facts()), "", "");
    } catch (SlicewiseException fault) {
      return new Looked(host.machine().name(), Optional.empty(), fault.getMessage(), fault.hint());
    }
  }
}
