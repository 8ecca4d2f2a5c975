package io.slicewise.evidence.study;

import io.slicewise.evidence.published.PublishedNumber;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The cells of the published tables, read as the studies read a user's. */
final class PublishedStudies {
  private PublishedStudies() {}

  static Cells cells(String study) {
    try (Stream<Path> files =
        Files.list(Path.of(PublishedStudies.class.getResource("/published").toURI()))) {
      List<Path> tables =
          files
              .filter(file -> file.getFileName().toString().startsWith(study))
              .filter(file -> file.toString().endsWith(".csv"))
              .sorted()
              .toList();
      return Cells.published(PublishedNumber.read(tables));
    } catch (IOException | URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
