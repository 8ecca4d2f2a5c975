package io.slicewise.load.spread;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.load.jtl.CountProgram;
import io.slicewise.load.jtl.SampleCount;
import io.slicewise.load.jtl.SamplesThere;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.apache.commons.io.FileUtils;

/**
 * Samples that stay on their generator's machine.
 *
 * @param directory of their trial there
 * @param samples the file there
 */
record KeptSamples(GeneratorHost host, String directory, String samples) implements SamplesThere {
  @Override
  public <T extends Serializable> T count(SampleCount<T> count) {
    String name = directory + "/count-" + UUID.randomUUID();
    try {
      Path scratch = Files.createTempDirectory("slicewise-count");
      try {
        Path asked = scratch.resolve("asked");
        CountProgram.write(count, asked);
        host.send(asked, name);
        host.run(directory, CountProgram.class.getName(), samples, name, name + "-found");
        Path found = scratch.resolve("found");
        host.fetch(name + "-found", found);
        host.remove(name, false);
        host.remove(name + "-found", false);
        return CountProgram.read(found, count.type());
      } finally {
        FileUtils.deleteQuietly(scratch.toFile());
      }
    } catch (IOException fault) {
      throw new SlicewiseException(
          ErrorKind.STORAGE,
          "the samples of generator %s cannot be counted there: %s"
              .formatted(host.machine().name(), fault.getMessage()),
          "check that the disk of this machine has room",
          fault);
    }
  }
}
