package io.slicewise.lab.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The tables in docs/lab.md that hold what the model gives. */
final class LabPage {
  private LabPage() {}

  static String between(String begin, String end) throws IOException {
    Path file = Path.of(System.getProperty("slicewise.home", "."), "docs", "lab.md");
    String page = Files.readString(file);
    int from = page.indexOf(begin);
    int to = page.indexOf(end);
    assertThat(from).as("%s in docs/lab.md", begin).isNotNegative();
    assertThat(to).as("%s in docs/lab.md", end).isGreaterThan(from);
    return page.substring(from + begin.length(), to).strip();
  }
}
