package io.slicewise.workload;

import io.slicewise.base.units.ErrorKind;
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
 * JMeter properties of an experiment that are passwords by their name. A value itself is refused,
 * since properties are written into files; {@code NAME-file} and {@code NAME-env} say where it is,
 * and the plan then finds it as {@code NAME}.
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
   * Refuses passwords that are written out.
   *
   * @throws SlicewiseException naming the properties, never what they hold
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
      throw new SlicewiseException(
          ErrorKind.INPUT,
          ("the workload's properties hold %s, which would be written into the run's files and"
                  + " JMeter's properties")
              .formatted(String.join(", ", named)),
          ("write '%s-file: PATH' for a file whose first line it is, or '%s-env: VARIABLE' for an"
                  + " environment variable; the plan finds it as %s")
              .formatted(first, first, first));
    }
  }

  /** The property that a reference to a file or a variable gives; empty for any other property. */
  public static Optional<String> givenBy(String property) {
    Matcher reference = REFERENCE.matcher(property);
    return reference.matches() ? Optional.of(reference.group(SECRET_NAME)) : Optional.empty();
  }

  /** Whether the property names a file with a secret in it. */
  public static boolean isFile(String property) {
    return givenBy(property).isPresent() && property.toLowerCase(Locale.ROOT).endsWith(FILE);
  }

  /**
   * The secrets that references give, by the property that the plan reads.
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
                new SlicewiseException(
                    ErrorKind.INPUT,
                    "environment variable %s, named by the property %s, is not set"
                        .formatted(place, name),
                    "set it where Slicewise is started, or name a file by '-file'"));
  }
}
