package io.slicewise.cli;

import picocli.CommandLine.IVersionProvider;

/** Prints the version from the jar's manifest. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"slicewise " + text()};
  }

  /** Returns the version; {@code development} if run from class files. */
  static String text() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
