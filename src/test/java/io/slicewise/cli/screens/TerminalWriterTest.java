package io.slicewise.cli.screens;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.cli.CommandLines;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.PlainReduce;
import io.slicewise.cli.TerminalPicture;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects the terminal from text of hosts and files: none of it is acted upon. */
class TerminalWriterTest {
  private static final String ATTACK =
      "\033[2J\033]0;title\007\033]52;c;cm0gLXJm\007\u009b2J\u202e\u2066\u061c\u2028\r\b\0\177";

  @TempDir private Path directory;

  @Test
  void makesEverySteeringCharacterVisible() {
    assertThat(printed(ATTACK))
        .isEqualTo(
            "\\u001b[2J\\u001b]0;title\\u0007\\u001b]52;c;cm0gLXJm\\u0007\\u009b2J"
                + "\\u202e\\u2066\\u061c\\u2028\\u000d\\u0008\\u0000\\u007f");
  }

  @Test
  void leavesLayoutAndTheWritingOfAllLanguagesAlone() {
    String text = "wątek\tλ 中文 עברית – «95 %»\r\nnext\n";
    assertThat(printed(text)).isEqualTo(text);
  }

  @Test
  void printsItsOwnSequencesInTheOrderOfTheText() {
    StringWriter seen = new StringWriter();
    TerminalWriter out = TerminalWriter.of(new PrintWriter(seen));
    out.print("one");
    out.control("\033[K");
    out.print("two\033");
    out.flush();
    assertThat(seen).hasToString("one\033[Ktwo\\u001b");
    assertThat(TerminalWriter.of(out)).isSameAs(out);
  }

  @Test
  void livePaneDrawsNoSequenceOfAGuestsName() {
    TerminalPicture terminal = new TerminalPicture(60);
    LivePane pane = new LivePane(new PrintWriter(terminal), 60);
    pane.draw(List.of("guests  web\033[9Aup\nand down", "last"));
    assertThat(terminal.lines()).containsExactly("guests  web\\u001b[9Aup\\u000aand down", "last");
  }

  @Test
  void noCommandPassesOnWhatAFileSays() throws IOException {
    Path experiment =
        Files.writeString(
            directory.resolve("shop.yaml"),
            """
            name: "shop\\e]0;x\\a\\u009b2J\\u202e"
            users: ["\\e[2J\\u202e"]
            lab: {}
            """);
    Path hostile = directory.resolve("no\033[2Jsuch\u202e.yaml");
    Path samples =
        Files.writeString(
            directory.resolve("samples.jtl"),
            """
            timeStamp,elapsed,label,responseCode,success
            1700000000000,5,"GET \033]0;x\007\u009b\u202e
            line two",200,true
            """);
    List<Said> all =
        List.of(
            CommandLines.run("plan", experiment.toString()),
            CommandLines.run("plan", hostile.toString()),
            CommandLines.run("--\033[2J\u202e"),
            CommandLines.run("reduce", samples.toString()),
            CommandLines.run("reduce", "--format", "json", samples.toString()),
            CommandLines.run("reduce", "--format", "csv", samples.toString()));
    assertThat(all)
        .allSatisfy(
            said ->
                assertThat(said.out() + said.err())
                    .isNotBlank()
                    .doesNotContain("\033", "\007", "\u009b", "\u202e"));
    assertThat(all.get(3).exit()).isEqualTo(ExitCode.OK.code());
    assertThat(all.get(3).out()).contains("GET \\u001b]0;x\\u0007\\u009b\\u202e\\u000aline two");
  }

  @Test
  void theShortWayOfReduceCleansToo() throws IOException {
    Path samples =
        Files.writeString(
            directory.resolve("samples.jtl"),
            """
            timeStamp,elapsed,label,responseCode,success
            1700000000000,5,a\033[2J\u202eb,200,true
            """);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PlainReduce.execute(new String[] {"reduce", samples.toString()}, new PrintStream(bytes));
    assertThat(bytes.toString(Charset.defaultCharset())).contains("a\\u001b[2J\\u202eb");
  }

  private static String printed(String text) {
    StringWriter seen = new StringWriter();
    TerminalWriter out = TerminalWriter.of(new PrintWriter(seen));
    out.print(text);
    out.close();
    return seen.toString();
  }
}
