package io.slicewise.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.lab.shell.Getopt;
import io.slicewise.lab.shell.ShellLine;
import io.slicewise.lab.shell.ShellSyntaxException;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds that a line is understood as a shell would, or refused, and never misread. */
class ShellTest {
  private static LabShell shell;

  @BeforeAll
  static void boot() {
    shell = new LabShell(LabOptions.sshOnly());
  }

  @AfterAll
  static void stop() {
    shell.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "xl list; reboot",
        "xl list | head",
        "xl list &",
        "echo $(id)",
        "echo `id`",
        "echo \"$HOME\"",
        "ls /tmp/*",
        "cat < /etc/passwd",
        "(id)",
        "echo 'open",
        "id\nid",
        "ls ~",
        "id 2>&1 >/tmp/x",
        "id >"
      })
  void refusesWhatNeedsRealShell(String line) {
    LabShell.Result result = shell.run(line);
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.errors())
        .startsWith("bash: line 1: this host's shell runs one simple command;");
    assertThat(result.output()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "echo a  b | a b",
        "echo 'a  b; c' | a  b; c",
        "echo \"a \\\"b\\\" \\\\ *\" | a \"b\" \\ *",
        "echo a\\ b'c'\"d\" | a bcd",
        "LC_ALL=C echo x | x",
        "sudo -n echo x | x",
        "sh -c 'exec \"$0\" \"$@\"' echo a 'b c' | a b c",
        "env A=b echo x | x"
      })
  void splitsAsPosixSays(String line, String printed) {
    assertThat(shell.run(line).output()).isEqualTo(printed + "\n");
  }

  @Property
  void everyWordSurvivesQuoting(@ForAll List<String> words) throws ShellSyntaxException {
    List<String> usable =
        words.stream().filter(w -> w.indexOf('\0') < 0).map(w -> "x" + w).toList();
    String line =
        usable.stream()
            .map(w -> "'" + w.replace("'", "'\\''") + "'")
            .collect(java.util.stream.Collectors.joining(" "));
    assertThat(ShellLine.parse("echo " + line).words().subList(1, usable.size() + 1))
        .isEqualTo(usable);
  }

  @Test
  void sendsOutputElsewhere() {
    assertThat(shell.run("xl nosuch >/tmp/both 2>&1")).isEqualTo(new LabShell.Result(1, "", ""));
    assertThat(shell.run("cat /tmp/both").output()).isEqualTo("command not implemented\n");
    shell.run("echo one >>/tmp/both");
    assertThat(shell.run("cat /tmp/both").output()).isEqualTo("command not implemented\none\n");
    assertThat(shell.run("xl nosuch >/dev/null 2>/dev/null").errors()).isEmpty();
  }

  @Test
  void neverLeavesItsRoot() {
    assertThat(shell.run("echo inside >/tmp/../../../../etc/passwd").errors())
        .isEqualTo("bash: line 1: /tmp/../../../../etc/passwd: No such file or directory\n");
    assertThat(shell.files().locate("/etc/passwd")).startsWithRaw(shell.files().root());
    assertThat(shell.run("cat ../../../../etc/shadow").status()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"12, 12", "-7x, -7", "abc, 0", "256x, 256", "2.5, 2", "4294967296, 0"})
  void readsNumbersAsStrtolDoes(String text, int number) {
    assertThat(Getopt.strtol(text)).isEqualTo(number);
  }

  @Test
  void readsOptionsAsGetoptDoes() {
    Getopt options =
        Getopt.parse(
            List.of("-sw512", "--cap=3", "web", "--wei", "7", "-q", "-c"),
            "sw:c:",
            "cap=c: weight=w:");
    assertThat(options.all('w')).containsExactly("512", "7");
    assertThat(options.last('c')).contains("3");
    assertThat(options.operands()).containsExactly("web");
    assertThat(options.all('?')).containsExactly("q", "c");
  }

  @Test
  void showsItsProcessorsTimesInProc() {
    assertThat(shell.run("cat /proc/stat").output()).startsWith("cpu  ").contains("\ncpu3 ");
    assertThat(shell.run("cat /proc/loadavg").output()).matches("(\\d+\\.\\d\\d ){3}1/120 \\d+\n");
    assertThat(shell.run("uname -r").output()).isEqualTo("6.1.0-28-amd64\n");
    assertThat(shell.run("df -Pk /tmp").output()).hasLineCount(2);
  }
}
