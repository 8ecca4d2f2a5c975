package io.slicewise.cli.screens;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Protects colours: only on a terminal that allows them, and only for verdicts and headings. */
class ColoursTest {
  private static final Map<String, String> XTERM = Map.of("TERM", "xterm-256color");

  private static String printed(boolean coloured, String... lines) {
    StringWriter text = new StringWriter();
    TerminalWriter out = TerminalWriter.of(new PrintWriter(text), 40, coloured);
    for (String line : lines) {
      out.println(line);
    }
    out.flush();
    return text.toString().replace("\033", "^").replace(System.lineSeparator(), "\n");
  }

  @Test
  void verdictsErrorsAndHeadingsAreColoured() {
    assertThat(printed(true, "w512  WORSE", "w1024  BETTER", "  unclear"))
        .isEqualTo("w512  ^[1;31mWORSE^[0m\nw1024  ^[1;32mBETTER^[0m\n  unclear\n");
    assertThat(printed(true, "slicewise: no such run", "UNDECIDED: w512"))
        .isEqualTo("^[1;31mslicewise:^[0m no such run\n^[1;33mUNDECIDED^[0m: w512\n");
    assertThat(printed(true, "PLAN    shop", "", "Shares", "users  profile"))
        .isEqualTo("^[1mPLAN^[0m    shop\n\n^[1mShares^[0m\nusers  profile\n");
  }

  @Test
  void partsOfAWordAreNotColoured() {
    assertThat(printed(true, "now WORSENED", "profile BETTERWEB", "1 slicewise: x"))
        .doesNotContain("^");
  }

  @Test
  void textOfAHostIsEscapedInColourToo() {
    assertThat(printed(true, "WORSE \033[8mhidden"))
        .startsWith("^[1;31mWORSE^[0m ")
        .doesNotContain("^[8m");
  }

  @Test
  void linesAreWrappedBelowTheirLabel() {
    assertThat(
            printed(false, "host      restored and verified: " + "weight 256 ".repeat(4).strip()))
        .isEqualTo(
            """
            host      restored and verified: weight
                        256 weight 256 weight 256
                        weight 256
            """);
  }

  @Test
  void filesPipesDumbTerminalsAndNoColorGetNone() {
    assertThat(Terminal.mayColour("12", '1', XTERM)).isTrue();
    assertThat(Terminal.mayColour("2", '1', XTERM)).isFalse();
    assertThat(Terminal.mayColour("", '2', XTERM)).isFalse();
    assertThat(Terminal.mayColour("12", '2', Map.of("TERM", "dumb"))).isFalse();
    assertThat(Terminal.mayColour("12", '2', Map.of())).isFalse();
    assertThat(Terminal.mayColour("1", '1', Map.of("TERM", "xterm", "NO_COLOR", "1"))).isFalse();
    assertThat(Terminal.mayColour("1", '1', Map.of("TERM", "xterm", "NO_COLOR", ""))).isTrue();
    assertThat(printed(false, "WORSE", "", "Shares")).isEqualTo("WORSE\n\nShares\n");
  }

  @Test
  void helpIsColoured() {
    StringWriter text = new StringWriter();
    TerminalWriter out = TerminalWriter.of(new PrintWriter(text), 80, true);
    out.print((CharSequence) "Usage: slicewise run FILE\n  -h, --help   Show this.\n");
    out.flush();
    assertThat(text.toString().replace("\033", "^"))
        .contains("^[1mUsage:^[0m slicewise run FILE")
        .contains("  ^[1m-h^[0m, ^[1m--help^[0m   Show this.");
  }
}
