package io.slicewise.lab;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;

/** The libraries that only the lab needs; an installation that only measures leaves them out. */
public final class LabParts {
  private LabParts() {}

  /** Returns whether the libraries are installed. */
  public static boolean areInstalled() {
    try {
      require();
      return true;
    } catch (SlicewiseException missing) {
      return false;
    }
  }

  /**
   * Requires the libraries.
   *
   * @throws SlicewiseException if they are not installed
   */
  public static void require() {
    try {
      Class.forName("org.apache.sshd.server.SshServer", false, LabParts.class.getClassLoader());
    } catch (ClassNotFoundException missing) {
      throw new SlicewiseException(
          ErrorKind.NOT_READY,
          "the embedded lab is not installed",
          "install the package slicewise-lab, or unpack the archive slicewise-VERSION.tar.gz",
          missing);
    }
  }
}
