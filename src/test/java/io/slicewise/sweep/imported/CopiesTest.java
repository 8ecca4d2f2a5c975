package io.slicewise.sweep.imported;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.sweep.imported.Study.Copies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects the rule that a copied file is no second measurement. */
class CopiesTest {
  @TempDir private Path directory;

  @Test
  void refusesAFileOfTheSameContent() throws IOException {
    Path first = Files.writeString(directory.resolve("1.jtl"), "timeStamp,elapsed\n");
    Path other = Files.writeString(directory.resolve("2.jtl"), "elapsed,timeStamp\n");
    Path copy = Files.copy(first, directory.resolve("3.jtl"));
    Copies copies = new Copies();
    copies.refuse(first);
    copies.refuse(other);
    assertThatThrownBy(() -> copies.refuse(copy))
        .isInstanceOf(SlicewiseException.class)
        .hasMessage(
            copy + " is identical to " + first + ": both are one measurement, which counts once");
  }
}
