package io.slicewise.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.host.monitor.Leashes;
import io.slicewise.lab.shell.Getopt;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds that a line is understood as a shell would, or refused, and never misread. */
class ShellTest {
  /** The property's engine knows no methods before all. */
  private static final LabShell PLAIN = new LabShell(LabOptions.sshOnly());

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
        "echo 'open",
        "echo \"open",
        "echo $(id",
        "ls ~",
        "id >",
        "id | ; id",
        "if true; then id",
        "f() { id; }",
        "cat <<END",
        "echo ${x:-y}",
        "for x in a; id; done",
        "(id",
        "id)"
      })
  void refusesWhatNeedsRealShell(String line) {
    LabShell.Result result = shell.run(line);
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.errors()).startsWith("bash: line 1: ");
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

  @Property(tries = 300)
  void everyWordSurvivesQuoting(@ForAll List<String> words) {
    List<String> usable =
        words.stream().filter(w -> w.indexOf('\0') < 0).map(w -> "x" + w).toList();
    String line =
        usable.stream()
            .map(w -> "'" + w.replace("'", "'\\''") + "'")
            .collect(java.util.stream.Collectors.joining(" "));
    assertThat(PLAIN.run("echo " + line).output()).isEqualTo(String.join(" ", usable) + "\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '~',
      value = {
        "echo b; echo a => b a",
        "echo b && echo a => b a",
        "false && echo a || echo c => c",
        "! false && echo yes => yes",
        "xl list | grep -c Server => 3",
        "xl info | grep -cE 'free_cpus|xen_scheduler' => 2",
        "xl list | grep nosuch; echo $? => 1",
        "for p in a b c; do echo -$p-; done => -a- -b- -c-",
        "n=0; while [ $n -lt 3 ]; do n=$((n + 1)); echo $n; done => 1 2 3",
        "until test -d /nosuch || true; do echo never; done; echo end => end",
        "if [ -d /tmp ]; then echo yes; elif true; then echo no; else echo never; fi => yes",
        "case abc in x*) echo x;; a?c|b) echo found;; esac => found",
        "sh -c 'echo $0 $# \"$@\"' name 'a b' c => name 2 a b c",
        "( x=1; echo $x ); echo \"<$x>\" => 1 <>",
        "{ echo a; echo b; } | grep -c . => 2",
        "echo $(xl list | grep -c .) lines => 5 lines",
        "echo `hostname` => xenhost",
        "echo one >/tmp/f; cat </tmp/f; cat < /tmp/f | grep -c . => one 1",
        "exec 3</tmp/f; cat <&3 => one",
        "touch=1; echo /tmp/[f]; echo /tmp/nosuch* => /tmp/f /tmp/nosuch*",
        "sleep 0.01 && echo slept => slept",
        "sleep 60 & kill -0 $! && kill -TERM $!; wait; echo over => over",
        "echo gone # a comment => gone",
        "xl nosuch 2>&1 >/dev/null | cat => command not implemented"
      })
  void runsWhatPeopleType(String line, String printed) {
    shell.run("echo one >/tmp/f");
    assertThat(shell.run(line).output().strip().replace("\n", " ")).isEqualTo(printed);
  }

  /** The script by which a recording ends with its connection, word for word as it is sent. */
  @Test
  void runsTheGuardOfRecordingThatItsClientAbandons() {
    shell.run("mkdir /tmp/record");
    List<String> words = Leashes.around("/tmp/record", List.of("sleep", "600"));
    String line =
        words.stream()
            .map(word -> "'" + word.replace("'", "'\\''") + "'")
            .collect(java.util.stream.Collectors.joining(" "));
    LabShell.Result result = shell.run(line);
    assertThat(result.status()).as(result.errors()).isEqualTo(130);
    Awaitility.await().until(() -> shell.run("test -d /tmp/record").status() == 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rm -rf /", "rm -rf /tmp/..", "rm -r --force //"})
  void refusesToRemoveEverything(String line) {
    LabShell.Result result = shell.run(line);
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.errors()).startsWith("rm: ");
    assertThat(shell.run("test -d /tmp").status()).isZero();
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
