package io.slicewise.cli;

import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints: the version written into the jar's manifest. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"slicewise " + text()};
  }

  /** The version alone; {@code development} when run from class files. */
  static String text() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
