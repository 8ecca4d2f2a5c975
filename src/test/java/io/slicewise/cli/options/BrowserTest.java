package io.slicewise.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.options.PageOptions.Browser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects {@code report --open}: the named browser gets the page's address. */
class BrowserTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir private Path directory;

  @Test
  void startsTheNamedBrowser() throws Exception {
    Path seen = directory.resolve("seen");
    Path browser = directory.resolve("browser");
    Files.writeString(
        browser, "#!/bin/sh\necho \"$1\" >'%1$s.new' && mv '%1$s.new' '%1$s'\n".formatted(seen));
    assertThat(browser.toFile().setExecutable(true)).isTrue();
    Path page = directory.resolve("a run/report.html");
    Browser.open(page, Map.of("BROWSER", browser + ":other"), "Linux");
    Awaitility.await().atMost(LIMIT).until(() -> Files.exists(seen));
    assertThat(Files.readString(seen).strip()).isEqualTo(page.toUri().toString());
  }

  @Test
  void namesThePageIfThereIsNoBrowser() {
    Path page = directory.resolve("report.html");
    Map<String, String> environment = Map.of("BROWSER", directory.resolve("none").toString());
    assertThatThrownBy(() -> Browser.open(page, environment, "Linux"))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("no browser can be started")
        .extracting(fault -> ((SlicewiseException) fault).hint())
        .asString()
        .contains(page.toString());
  }
}
