package io.slicewise.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.base.units.Visible;
import io.slicewise.report.JunitXml;
import io.slicewise.report.Reports;
import io.slicewise.report.table.Html;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.SyntheticRun;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

/** Protects readers of files: a label with control characters is shown, and steers nothing. */
class ControlCharactersTest {
  private static final String LABEL = "a\u001b[31m\u0000\u009b\u202e<b>\u2066\u007f";
  private static final String SHOWN = "\\u001b[31m\\u0000\\u009b\\u202e";

  @TempDir private Path directory;

  @Test
  void noFileOfAReportHasThemRaw() throws IOException {
    RunDirectory run =
        SyntheticRun.write(
            directory.resolve("run"),
            Sweeps.grid("night", "50", 2, new int[] {256, 512}, new int[] {0}),
            5,
            20_000,
            List.of(LABEL, "page"));
    Reports.write(run);
    assertThat(Files.readString(run.root().resolve("report.html")))
        .contains("a" + SHOWN.replace("\\u", "\\\\u"));
    try (Stream<Path> tables = Files.list(run.root().resolve("tables"))) {
      for (Path file :
          Stream.concat(tables, Stream.of(run.root().resolve("report.html"))).toList()) {
        assertThat(Files.readString(file).replaceAll("[\\r\\n\\t]", ""))
            .as(file.toString())
            .satisfies(text -> assertThat(Visible.line(text)).isEqualTo(text));
      }
    }
    assertThat(Files.readString(run.root().resolve("tables/labels.csv"))).contains("a" + SHOWN);
  }

  @Test
  void junitXmlStaysWellFormed() throws Exception {
    String xml = JunitXml.ofRun(LABEL + "\ud800\uffff", LABEL, Optional.empty(), false);
    DocumentBuilderFactory.newDefaultInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(xml)));
    assertThat(xml).contains("a" + SHOWN + "&lt;b").doesNotContain("\u202e", "\u009b", "\u007f");
  }

  @Test
  void markupHasThemEscaped() {
    assertThat(Html.escape(LABEL)).isEqualTo("a" + SHOWN + "&lt;b&gt;\\u2066\\u007f");
  }
}
