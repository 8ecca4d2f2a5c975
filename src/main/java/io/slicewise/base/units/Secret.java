package io.slicewise.base.units;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A password or token. Printed by mistake, it shows {@code ***}; only {@link #reveal} returns it,
 * called at the last moment by the code that signs in with it.
 */
public final class Secret {
  /** No password. */
  public static final Secret NONE = new Secret("");

  private static final Pattern WRITTEN =
      Pattern.compile("(?<=://)\\S*(?=@)|(?i)(?<=[?&;](password|pwd)=)[^&;\\s]*");

  private final String text;

  private Secret(String text) {
    this.text = Objects.requireNonNull(text);
  }

  public static Secret of(String text) {
    return new Secret(text);
  }

  /**
   * The first line of a file.
   *
   * @throws SlicewiseException if it cannot be read
   */
  public static Secret inFile(Path file) {
    try {
      return of(InputFile.text(file, InputFile.CONFIGURATION).lines().findFirst().orElse(""));
    } catch (IOException fault) {
      throw SlicewiseException.input(
          "password file " + file + " cannot be read: " + FileFault.reason(fault),
          "create it, readable only by you, or name an environment variable",
          fault);
    }
  }

  /**
   * Returns text in which logins of addresses, and passwords among their parameters, are hidden.
   */
  public static String masked(String text) {
    return WRITTEN.matcher(text).replaceAll("***");
  }

  /** Returns the secret itself, for the call that needs it. */
  public String reveal() {
    return text;
  }

  public boolean isEmpty() {
    return text.isEmpty();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Secret secret && secret.text.equals(text);
  }

  @Override
  public int hashCode() {
    return Secret.class.hashCode();
  }

  @Override
  public String toString() {
    return "***";
  }
}
