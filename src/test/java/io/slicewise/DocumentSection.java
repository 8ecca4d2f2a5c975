package io.slicewise;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A part of a document that a test generates, between {@code <!-- name -->} and {@code <!-- /name
 * -->}, so that its numbers cannot go stale. Run the test with {@code -Dslicewise.rewrite=true} to
 * write it anew.
 */
public final class DocumentSection {
  private final Path file;
  private final String start;
  private final String end;

  private DocumentSection(Path file, String name) {
    this.file = file;
    this.start = "<!-- " + name + " -->\n";
    this.end = "<!-- /" + name + " -->";
  }

  /** The section of a document, by its path in the project. */
  public static DocumentSection of(String document, String name) {
    return new DocumentSection(
        Path.of(System.getProperty("slicewise.home", ".")).resolve(document), name);
  }

  /** Asserts that the section is this text. */
  public void holds(String expected) {
    try {
      String text = Files.readString(file);
      int from = text.indexOf(start) + start.length();
      int to = text.indexOf(end);
      assertThat(to).as("the end of the section in %s: %s", file, end).isGreaterThan(0);
      if (Boolean.getBoolean("slicewise.rewrite")) {
        Files.writeString(file, text.substring(0, from) + expected + text.substring(to));
      } else {
        assertThat(text.substring(from, to)).isEqualTo(expected);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
