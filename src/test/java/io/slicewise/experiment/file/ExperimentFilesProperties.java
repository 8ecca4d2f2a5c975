package io.slicewise.experiment.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Experiments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** A resolved experiment, written and read again, is the same experiment: nothing is lost. */
class ExperimentFilesProperties {
  private static final String[] DAMAGE = {
    "",
    " ",
    "\n",
    ":",
    ": ",
    "- ",
    "{",
    "}",
    "[",
    "]",
    "&a ",
    "*a",
    "!!int ",
    "|",
    "'",
    "\"",
    "#",
    "\t",
    "\0",
    "\\",
    "%",
    "---\n",
    "...\n",
    "9",
    "99999999999999999999",
    "~",
    "é",
    "<<: ",
    "? "
  };

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
  void whatIsWrittenReadsBackEqual(@ForAll("experiments") Experiment experiment)
      throws IOException {
    Path file = directory.resolve("experiment.yaml");
    Files.writeString(file, ExperimentFiles.toYaml(experiment));
    assertThat(ExperimentFiles.read(file)).isEqualTo(experiment);
    assertThat(ExperimentFiles.fingerprint(ExperimentFiles.read(file)))
        .isEqualTo(ExperimentFiles.fingerprint(experiment));
  }

  @Property(tries = 300)
  void aDamagedFileIsReadOrRefusedInWords(
      @ForAll("experiments") Experiment experiment, @ForAll Random random) throws IOException {
    StringBuilder text = new StringBuilder(ExperimentFiles.toYaml(experiment));
    for (int i = 0; i < 5; i++) {
      int at = random.nextInt(text.length());
      text.replace(at, at + random.nextInt(3), DAMAGE[random.nextInt(DAMAGE.length)]);
    }
    Path file = Files.writeString(directory.resolve("experiment.yaml"), text);
    try {
      ExperimentFiles.read(file);
    } catch (SlicewiseException refused) {
      assertThat(refused.getMessage().lines()).allMatch(line -> line.startsWith(file.toString()));
    }
  }

  @Provide
  Arbitrary<Experiment> experiments() {
    return Experiments.any();
  }
}
