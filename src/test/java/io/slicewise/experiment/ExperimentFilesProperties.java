package io.slicewise.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** A resolved experiment, written and read again, is the same experiment: nothing is lost. */
class ExperimentFilesProperties {
  private static Path directory;

  @BeforeContainer
  static void makeDirectory() throws IOException {
    directory = Files.createTempDirectory("experiment");
  }

  @AfterContainer
  static void removeDirectory() throws IOException {
    Files.deleteIfExists(directory.resolve("experiment.yaml"));
    Files.delete(directory);
  }

  @Property
  void whatIsWrittenReadsBackEqual(@ForAll("experiments") Experiment experiment) {
    Path file = directory.resolve("experiment.yaml");
    ExperimentFiles.write(experiment, file);
    assertThat(ExperimentFiles.read(file)).isEqualTo(experiment);
    assertThat(ExperimentFiles.fingerprint(ExperimentFiles.read(file)))
        .isEqualTo(ExperimentFiles.fingerprint(experiment));
  }

  @Provide
  Arbitrary<Experiment> experiments() {
    return Experiments.any();
  }
}
