package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slicewise.cli.screens.ExitCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Protects the manual pages: they contain what {@code --help} does, and roff accepts them. */
class ManualPageTest {
  @TempDir private Path directory;

  @Test
  void pageContainsEveryOptionWithItsDefault() {
    String page = ManualPage.of(Slicewise.commandLine().getSubcommands().get("report"));
    assertThat(page)
        .startsWith(".TH \"SLICEWISE-REPORT\" 1 ")
        .contains("slicewise\\-report \\- Rewrites summary.json, tables and report.html")
        .contains(".B \\-\\-interval student|log|published\n")
        .contains("Method for intervals (default: student)")
        .contains(".B DIR\n")
        .contains(".BR slicewise (1)");
    CommandLine compare = Slicewise.commandLine().getSubcommands().get("compare");
    String compared = ManualPage.of(compare);
    for (OptionSpec option : compare.getCommandSpec().options()) {
      assertThat(compared).contains(".B " + option.names()[0].replace("-", "\\-"));
    }
  }

  @Test
  void rootPageListsCommandsAndExitCodes() {
    String page = ManualPage.of(Slicewise.commandLine());
    Slicewise.commandLine()
        .getSubcommands()
        .keySet()
        .forEach(name -> assertThat(page).contains(".BR slicewise\\-" + name.replace("-", "\\-")));
    for (ExitCode code : ExitCode.values()) {
      assertThat(page).contains(".B " + code.code() + "\n");
    }
  }

  @Test
  void everyPageThatAPageNamesIsWritten() throws Exception {
    assertThat(CommandLines.run("generate-manual", directory.toString()).exit()).isZero();
    Path manual = directory.resolve("man1");
    assertThat(manual.resolve("slicewise-study-overhead.1")).isRegularFile();
    try (Stream<Path> pages = Files.list(manual)) {
      for (Path page : pages.toList()) {
        try (Stream<String> lines = Files.lines(page)) {
          lines
              .filter(line -> line.startsWith(".BR "))
              .map(line -> line.split(" ", -1)[1].replace("\\-", "-"))
              .forEach(name -> assertThat(manual.resolve(name + ".1")).isRegularFile());
        }
      }
    }
  }

  @Test
  void roffAcceptsEveryPage() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/groff")), "no groff here");
    assertThat(CommandLines.run("generate-manual", directory.toString()).exit()).isZero();
    try (Stream<Path> pages = Files.list(directory.resolve("man1"))) {
      for (Path page : pages.toList()) {
        Process groff =
            new ProcessBuilder("groff", "-man", "-ww", "-z", "-Tascii", page.toString())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(groff.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
            .as(page.toString())
            .isEmpty();
        assertThat(groff.waitFor()).isZero();
      }
    }
  }
}
