package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.HelpOfCommand.Documents;
import io.slicewise.cli.screens.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Protects the documents in the terminal: all are there, and read as text. */
class HelpTest {
  private static final Path DOCS = Path.of(System.getProperty("slicewise.home", "."), "docs");

  @Test
  void everyDocumentIsATopicOfPlainText() throws IOException {
    List<String> topics = new Documents(DOCS.getParent()).topics();
    try (Stream<Path> files = Files.walk(DOCS)) {
      assertThat(topics)
          .hasSize((int) files.filter(file -> file.toString().endsWith(".md")).count());
    }
    for (String topic : topics) {
      Said said = CommandLines.run("help", topic);
      assertThat(said.exit()).as(topic).isZero();
      assertThat(said.out().lines().count()).as(topic).isGreaterThan(5);
      assertThat(said.out()).as(topic).doesNotContain("](", "|---", "```");
    }
    assertThat(CommandLines.run("help", "topics").out().lines()).hasSameSizeAs(topics);
  }

  @Test
  void paragraphsFitTheWidthAndCodeKeepsItsLines() {
    String text = CommandLines.run("help", "switchback").out();
    assertThat(text)
        .startsWith("SWITCHBACK SESSIONS\n")
        .contains("\n    design:\n      kind: switchback ");
    assertThat(text.lines().filter(line -> line.startsWith("The time between")))
        .singleElement()
        .asString()
        .hasSizeBetween(60, 100);
  }

  @Test
  void documentOfACommandNamesItsOptions() {
    assertThat(CommandLines.run("help", "tune").out())
        .startsWith("THE TUNER\n")
        .endsWith("The options of the command: slicewise tune --help\n");
  }

  @Test
  void searchListsTheDocumentsThatHoldAllWords() {
    Said found = CommandLines.run("help", "--search", "Williams", "squares");
    assertThat(found.out()).contains("switchback: Switchback sessions\n").doesNotContain("mail:");
    Said nothing = CommandLines.run("help", "--search", "abracadabra");
    assertThat(nothing.exit()).isEqualTo(ExitCode.UNDECIDED.code());
    assertThat(nothing.err()).isEqualToIgnoringNewLines("no document contains abracadabra");
    assertThat(CommandLines.run("help", "--search").exit()).isEqualTo(ExitCode.USAGE.code());
  }
}
