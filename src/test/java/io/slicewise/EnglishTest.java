package io.slicewise;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Protects plain English in what users read: words that no native engineer would choose. */
class EnglishTest {
  private static final Pattern BAD =
      Pattern.compile(
          "(?i)\\b(tells?|mends?|mended|bears?|of ours|knows? better|in words|says of|said of"
              + "|without a word|for what it is worth|thereby|therein|stands? (at|in|there)"
              + "|cannot be told|put right|took no part|is no (range|parameter)"
              + "|beside (\\d|%d|no|none|zero|how))\\b");

  /** What is neither text nor a comment: code, and words that programs define. */
  private static final Pattern ALLOWED = Pattern.compile("(?i)marks? .* in words of eight bytes");

  @Test
  void documentsAndExamplesArePlain() throws IOException {
    List<Path> files = new ArrayList<>(List.of(Path.of("README.md"), Path.of("CONTRIBUTING.md")));
    for (String place : List.of("docs", "experiments", "scheduler-profiles")) {
      files.addAll(below(Path.of(place)));
    }
    files.removeIf(file -> !file.toString().matches(".*\\.(md|yaml)"));
    assertThat(bad(files, false)).isEmpty();
  }

  @Test
  void messagesAndDocumentationOfTheCodeArePlain() throws IOException {
    List<Path> files = new ArrayList<>(below(Path.of("src/main/java")));
    files.addAll(below(Path.of("src/main/resources/io/slicewise/report/page")));
    assertThat(bad(files, true)).isEmpty();
  }

  private static List<Path> below(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static List<String> bad(List<Path> files, boolean code) {
    return files.stream().flatMap(file -> bad(file, code)).toList();
  }

  private static Stream<String> bad(Path file, boolean code) {
    try {
      return Files.readAllLines(file).stream()
          .filter(line -> BAD.matcher(code ? text(line) : line).find())
          .filter(line -> !ALLOWED.matcher(line).find())
          .map(line -> file + ": " + line.strip());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Returns the prose of a line of code: its comment, or what is between quotes. */
  private static String text(String line) {
    String stripped = line.strip();
    if (stripped.startsWith("*") || stripped.startsWith("/*") || stripped.startsWith("//")) {
      return stripped;
    }
    StringBuilder quoted = new StringBuilder();
    String[] parts = line.split("\"", -1);
    for (int i = 1; i < parts.length; i += 2) {
      quoted.append(parts[i]).append(' ');
    }
    return quoted.toString();
  }
}
