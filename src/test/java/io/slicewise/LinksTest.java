package io.slicewise;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Protects readers from links between documents that lead nowhere. */
class LinksTest {
  private static final Path HOME = Path.of(System.getProperty("slicewise.home"));
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)");

  @Test
  void everyLinkLeadsToAFile() throws IOException {
    try (Stream<Path> tops = Files.list(HOME);
        Stream<Path> pages = Files.walk(HOME.resolve("docs"))) {
      List<Path> documents =
          Stream.concat(tops, pages).filter(file -> file.toString().endsWith(".md")).toList();
      assertThat(documents).hasSizeGreaterThan(20).allSatisfy(LinksTest::leads);
    }
  }

  private static void leads(Path document) throws IOException {
    assertThat(LINK.matcher(Files.readString(document)).results().map(link -> link.group(1)))
        .filteredOn(link -> !link.startsWith("http"))
        .allSatisfy(link -> assertThat(document.resolveSibling(link)).exists());
  }
}
