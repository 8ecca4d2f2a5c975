package io.slicewise.run;

import io.slicewise.base.units.OwnerOnly;
import io.slicewise.base.units.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The directory {@code set-aside/} of a run: what killed processes left unfinished, and journals
 * before a repair. Nothing in it counts, and nothing in it is overwritten.
 */
record Shelf(Path root) {
  /** Moves a trial's or session's directory here, if it exists. */
  void take(Path directory) throws IOException {
    if (Files.exists(directory)) {
      Files.move(directory, free(directory.getFileName().toString()));
      OwnerOnly.close(place());
      WholeFile.forceDirectory(place());
    }
  }

  /** An unused path here: the name with the next number. */
  Path free(String name) throws IOException {
    Path shelf = Files.createDirectories(place());
    int number = 1;
    while (Files.exists(shelf.resolve(name + "." + number))) {
      number++;
    }
    return shelf.resolve(name + "." + number);
  }

  private Path place() {
    return root.resolve("set-aside");
  }
}
