package io.slicewise.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slicewise.report.HistoryReport.Sparkline;
import io.slicewise.report.table.Cell;
import io.slicewise.report.table.Latex;
import io.slicewise.report.table.Markdown;
import io.slicewise.report.table.Table;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects tables for papers and merge requests: names stay text whatever is in them, the best set
 * is marked, and LaTeX takes what is written.
 */
class PublicationFormsTest {
  private static final String WICKED = "a_b & 50% {x}^~\\`\"$<script>|*#[l](javascript:1)";

  private static Table table(String name) {
    return new Table(
        "throughput",
        "Throughput of " + name,
        List.of(Table.Column.name("profile"), Table.Column.figure("25 users")),
        List.of(
            List.of(new Cell.Text(name), new Cell.Text("127.6 ± 5.3 (4.2)", true)),
            List.of(new Cell.Text("other"), new Cell.Text("–"))),
        List.of("marked: " + name));
  }

  @Test
  void latexEscapesEveryCharacterThatMeansSomething() {
    assertThat(Latex.escape("a_b & 50% {x}^~\\#$"))
        .isEqualTo(
            "a\\_b \\& 50\\% \\{x\\}\\textasciicircum{}\\textasciitilde{}\\textbackslash{}\\#\\$");
    assertThat(Latex.tables(List.of(table("w512"))).lines())
        .contains(
            "\\begin{tabular}{lr}",
            "w512 & \\textbf{127.6 $\\pm$ 5.3 (4.2)} \\\\",
            "other & -- \\\\");
  }

  @Test
  void markdownKeepsNamesInTheirPlace() {
    String text = Markdown.table(table(WICKED));
    assertThat(text)
        .contains("**127.6 ± 5.3 \\(4.2\\)**", "&lt;script&gt;", "\\[l\\]\\(javascript:1\\)")
        .doesNotContain("<", "](");
    assertThat(text.lines().skip(1).findFirst()).hasValue("|---|---:|");
    for (String line : text.lines().toList()) {
      assertThat(line.replace("\\|", "").chars().filter(c -> c == '|').count()).isEqualTo(3);
    }
  }

  /** Needs pdflatex and booktabs: Debian's texlive-latex-base and texlive-latex-recommended. */
  @Test
  void latexCompiles(@TempDir Path directory) throws Exception {
    assumeTrue(isInstalled("pdflatex"), "no pdflatex here; Debian: texlive-latex-recommended");
    Path file =
        Files.writeString(
            directory.resolve("t.tex"),
            "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{booktabs}\n"
                + "\\begin{document}\n"
                + Latex.tables(List.of(table("w512"), table(WICKED)))
                + "\\end{document}\n");
    Process process =
        new ProcessBuilder("pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log.txt").toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(log(directory)).isZero();
    assertThat(file.resolveSibling("t.pdf")).isNotEmptyFile();
  }

  private static String log(Path directory) throws IOException {
    return Files.readString(directory.resolve("log.txt"), StandardCharsets.ISO_8859_1);
  }

  private static boolean isInstalled(String program) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }

  @Test
  void sparklineIsAsHighAsItsNumbers() {
    assertThat(Sparkline.of(new double[] {1, 2, 3}, 10, false)).isEqualTo("059");
    assertThat(Sparkline.of(new double[] {9, 1, 2, 3}, 3, true)).isEqualTo("▁▅█");
    assertThat(Sparkline.of(new double[] {2, 2}, 10, false)).isEqualTo("55");
  }
}
