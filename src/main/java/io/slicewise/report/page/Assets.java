package io.slicewise.report.page;

import io.slicewise.base.units.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** The scripts and the style embedded in every page. */
final class Assets {
  private static final String CHARTS =
      "/META-INF/resources/_static/echarts/5.6.0/dist/echarts.min.js";

  /** The scripts in order of their dependencies; all share one scope. */
  private static final List<String> MODULES =
      List.of(
          "dom.js",
          "numbers.js",
          "theme.js",
          "model.js",
          "marks.js",
          "chart.js",
          "forest.js",
          "capacity.js",
          "past.js",
          "load.js",
          "percentiles.js",
          "shares.js",
          "repetitions.js",
          "order.js",
          "sessions.js",
          "tune.js",
          "grid.js",
          "trial.js",
          "trials.js",
          "tables.js",
          "main.js");

  private Assets() {}

  /** Returns the minified chart library. */
  static String charts() {
    return read(CHARTS);
  }

  /** Returns the page's scripts in their own scope. */
  static String script() {
    StringBuilder script = new StringBuilder("(() => {\n\"use strict\";\n");
    MODULES.forEach(name -> script.append(read(name)).append('\n'));
    return script.append("})();\n").toString();
  }

  static String style() {
    return read("page.css");
  }

  /** Returns the script's hash for a content security policy. */
  static String hash(String script) {
    return "'sha256-" + Base64.getEncoder().encodeToString(Sha256.of(script)) + "'";
  }

  private static String read(String name) {
    try (InputStream in = Assets.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing from the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
