package io.slicewise.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Protects the rule that a word is a word and nothing else: whatever a domain is called, the
 * program at the far end of a real connection and a real shell is given exactly that.
 */
class WordsProperties {
  private static Path directory;
  private static SshTestServer server;
  private static RemoteShell shell;

  @BeforeContainer
  static void connect() throws Exception {
    directory = Files.createTempDirectory("words");
    server = SshTestServer.start(directory);
    shell = Shells.open(server.connection());
  }

  @AfterContainer
  static void disconnect() throws Exception {
    shell.close();
    server.close();
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }

  @Property(tries = 60)
  void anyWordsArriveAsTheyAre(@ForAll("wordLists") List<String> words) {
    assertThat(echoed(words)).isEqualTo(words);
  }

  @Example
  void hostileNamesArriveAsTheyAre() {
    List<String> names =
        List.of(
            "a b; reboot",
            "$(reboot)",
            "`reboot`",
            "it's",
            "\"x\"",
            "a\nb",
            "\\",
            "",
            "*",
            "~",
            "!!",
            "-n",
            "&& true",
            "<in >out",
            "A=b",
            "日本 ünï",
            "#no",
            "'\\''",
            "\ttab",
            "\r");
    assertThat(echoed(names)).isEqualTo(names);
  }

  @Example
  void programIsNeverTakenForAnAssignment() {
    CommandResult result = shell.run(Command.reading("PATH=/nowhere", "true"));
    assertThat(result.exitStatus()).isEqualTo(127);
  }

  @Example
  void refusesWordThatNoProgramCanBeGiven() {
    assertThatThrownBy(() -> Command.reading("echo", "a\0b"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static List<String> echoed(List<String> words) {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "printf '%s\\0' \"$@\"", "sh"));
    command.addAll(words);
    String output = shell.run(Command.reading(command.toArray(String[]::new))).standardOutput();
    List<String> arrived = new ArrayList<>(List.of(output.split("\0", -1)));
    arrived.remove(arrived.size() - 1);
    return arrived;
  }

  @Provide
  Arbitrary<List<String>> wordLists() {
    Arbitrary<String> hostile =
        Arbitraries.strings().withChars("ab '\"\\$`;&|<>(){}[]*?~!#\n\t\r=%-/").ofMaxLength(12);
    Arbitrary<String> any =
        Arbitraries.strings()
            .excludeChars('\0')
            .ofMaxLength(12)
            .filter(text -> text.codePoints().noneMatch(c -> c >= 0xD800 && c <= 0xDFFF));
    return Arbitraries.oneOf(hostile, any).list().ofMinSize(1).ofMaxSize(6);
  }
}
