package io.slicewise.workload.target;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The directory with the page's header and footer, on a file server's mount in the 2010 study. Both
 * are read for every page, as in that study's application.
 */
public final class PageFiles {
  static final String HEADER = "header.html";
  static final String FOOTER = "footer.html";

  private static final String SAMPLE_HEADER =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <title>Sample application</title>
      <style>
      body { font-family: sans-serif; max-width: 45em; margin: 2em auto; line-height: 1.4 }
      nav a { margin-right: 1em } footer { color: #555; border-top: 1px solid #ccc }
      </style>
      </head>
      <body>
      <nav><a href="?article=1">First</a><a href="?article=2">Second</a><a href="?article=3">Third</a></nav>
      """;
  private static final String SAMPLE_FOOTER =
      """
      <footer>
      <p>This page was put together from a session, three statements to a database and two files.</p>
      </footer>
      </body>
      </html>
      """;

  private final Path directory;

  private PageFiles(Path directory) {
    this.directory = directory;
  }

  /**
   * Writes the sample header and footer where they are missing; never overwrites one.
   *
   * @return the files written; empty if both existed
   */
  public static List<Path> createMissing(Path directory) {
    try {
      Files.createDirectories(directory);
      List<Path> written = new ArrayList<>();
      writeUnlessThere(directory.resolve(HEADER), SAMPLE_HEADER, written);
      writeUnlessThere(directory.resolve(FOOTER), SAMPLE_FOOTER, written);
      return List.copyOf(written);
    } catch (IOException fault) {
      throw new SlicewiseException(
          ErrorKind.NOT_READY,
          "the sample header and footer cannot be written to "
              + directory
              + ": "
              + FileFault.reason(fault),
          "specify a directory that this user can write to",
          fault);
    }
  }

  private static void writeUnlessThere(Path file, String text, List<Path> written)
      throws IOException {
    if (!Files.exists(file)) {
      Files.writeString(file, text, StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW);
      written.add(file);
    }
  }

  /** Opens a directory, which must contain both files, readable. */
  static PageFiles in(Path directory) {
    for (String name : List.of(HEADER, FOOTER)) {
      if (!Files.isReadable(directory.resolve(name))) {
        throw new SlicewiseException(
            ErrorKind.NOT_READY,
            "files directory " + directory + " has no readable " + name,
            "mount the file server there, or have the samples written");
      }
    }
    return new PageFiles(directory);
  }

  byte[] read(String name) {
    Path file = directory.resolve(name);
    try {
      return Files.readAllBytes(file);
    } catch (IOException fault) {
      throw new SlicewiseException(
          ErrorKind.NOT_READY,
          "file " + file + " cannot be read: " + FileFault.reason(fault),
          "",
          fault);
    }
  }
}
