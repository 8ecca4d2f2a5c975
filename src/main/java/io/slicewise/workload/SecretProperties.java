package io.slicewise.workload;

import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * JMeter properties of an experiment whose names mean passwords. Literal values are rejected,
 * because properties are written to files; {@code NAME-file} and {@code NAME-env} give their
 * source, and the plan reads them as {@code NAME}.
 */
public final class SecretProperties {
  private static final String NAME =
      ".*(passw(or)?d|passphrase|pwd|secret|credential|api[-_.]?key|access[-_.]?key|token)s?\\d*";
  private static final Pattern SECRET = Pattern.compile(NAME, Pattern.CASE_INSENSITIVE);
  private static final Pattern REFERENCE =
      Pattern.compile("(" + NAME + ")-(file|env)", Pattern.CASE_INSENSITIVE);
  private static final int SECRET_NAME = 1;
  private static final String FILE = "file";

  private SecretProperties() {}

  /**
   * Rejects literal passwords.
   *
   * @throws SlicewiseException with the names of the properties, but never their values
   */
  public static void refuseValues(Map<String, String> properties) {
    List<String> named =
        properties.entrySet().stream()
            .filter(property -> SECRET.matcher(property.getKey()).matches())
            .filter(property -> !property.getValue().isBlank())
            .map(Map.Entry::getKey)
            .sorted()
            .toList();
    if (!named.isEmpty()) {
      String first = named.get(0);
      throw SlicewiseException.input(
          ("the workload's properties contain %s, which would be written to the run's files and"
                  + " JMeter's properties")
              .formatted(String.join(", ", named)),
          ("write '%s-file: PATH' for a file with the password on its first line, or '%s-env:"
                  + " VARIABLE' for an environment variable; the plan reads it as %s")
              .formatted(first, first, first));
    }
  }

  /** The property that a reference to a file or a variable sets; empty for any other property. */
  public static Optional<String> givenBy(String property) {
    Matcher reference = REFERENCE.matcher(property);
    return reference.matches() ? Optional.of(reference.group(SECRET_NAME)) : Optional.empty();
  }

  /** Whether the property names a file with a secret. */
  public static boolean isFile(String property) {
    return givenBy(property).isPresent() && property.toLowerCase(Locale.ROOT).endsWith(FILE);
  }

  /**
   * Reads the secrets, by the property that the plan reads.
   *
   * @throws SlicewiseException if a file cannot be read or a variable is not set
   */
  public static Map<String, Secret> read(
      Map<String, String> properties, Map<String, String> environment) {
    Map<String, Secret> secrets = new LinkedHashMap<>();
    properties.forEach(
        (name, place) ->
            givenBy(name).ifPresent(secret -> secrets.put(secret, at(name, place, environment))));
    return secrets;
  }

  private static Secret at(String name, String place, Map<String, String> environment) {
    if (isFile(name)) {
      return Secret.inFile(Path.of(place));
    }
    return Optional.ofNullable(environment.get(place))
        .map(Secret::of)
        .orElseThrow(
            () ->
                SlicewiseException.input(
                    "environment variable %s, named by the property %s, is not set"
                        .formatted(place, name),
                    "set it where you start Slicewise, or specify a file with '-file'"));
  }
}
