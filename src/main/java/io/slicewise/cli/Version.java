package io.slicewise.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Prints version and commit, as the build recorded them. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"slicewise " + text(), build(recorded())};
  }

  /** Returns the version; {@code development} if run from class files without a build. */
  static String text() {
    return recorded().getProperty("version", "development");
  }

  /**
   * Returns what was built.
   *
   * @param recorded by {@code src/build/version.sh}
   */
  static String build(Properties recorded) {
    String commit = recorded.getProperty("commit", "unknown");
    String time = recorded.getProperty("time", "");
    return "commit %s%s%s"
        .formatted(
            commit,
            time.isEmpty() ? "" : " of " + time,
            recorded.getProperty("changed", "").equals("true") ? ", built with changes to it" : "");
  }

  private static Properties recorded() {
    Properties recorded = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("/build.properties")) {
      if (in != null) {
        recorded.load(in);
      }
      return recorded;
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
