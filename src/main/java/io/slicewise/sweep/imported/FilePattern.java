package io.slicewise.sweep.imported;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Load;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The pattern of a study's file names: {@code results/{profile}/{users}-{repetition}.jtl}. {@code
 * {profile}} stands for a name, the key of an {@link Axis} of load for one of its levels, {@code
 * {repetition}} for a whole number; users and repetitions may have {@link FileNames names} instead.
 * {@code *} is anything but a slash. A repeated variable must have the same value.
 */
public record FilePattern(String text, Path base, Pattern files, FileNames names) {
  private static final Pattern TOKEN =
      Pattern.compile(
          Stream.of(Axis.values())
              .map(Axis::key)
              .collect(
                  Collectors.joining("|", "\\{(profile|repetition|", ")\\}|(\\*)|([^{*]+|\\{)")));

  /**
   * Parses a pattern of the command line.
   *
   * @throws SlicewiseException if it lacks profile or repetition, or a place for names of users
   */
  public static FilePattern of(String text, FileNames names) {
    for (String name : List.of("profile", "repetition")) {
      if (!text.contains("{" + name + "}")) {
        throw SlicewiseException.input(
            "pattern " + text + " has no {" + name + "}",
            "A pattern describes the parts of a file's name:"
                + " results/{profile}/{users}-{repetition}.jtl");
      }
    }
    if (!names.users().isEmpty() && !text.contains("{users}")) {
      throw SlicewiseException.input(
          "--users-name is given, and pattern " + text + " has no {users}",
          "Put {users} in the place of the name, or omit the option.");
    }
    int variable = firstVariable(text);
    int slash = text.lastIndexOf('/', variable);
    Path base = Path.of(slash < 0 ? "." : slash == 0 ? "/" : text.substring(0, slash));
    return new FilePattern(
        text, base, Pattern.compile(regex(text.substring(slash + 1), names)), names);
  }

  private static int firstVariable(String text) {
    int star = text.indexOf('*');
    int brace = text.indexOf('{');
    return star < 0 ? brace : Math.min(star, brace);
  }

  private static String regex(String path, FileNames names) {
    StringBuilder regex = new StringBuilder();
    List<String> known = new ArrayList<>();
    Matcher token = TOKEN.matcher(path);
    while (token.find()) {
      if (token.group(2) != null) {
        regex.append("[^/]*");
      } else if (token.group(3) != null) {
        regex.append(Pattern.quote(token.group(3)));
      } else if (known.contains(token.group(1))) {
        regex.append("\\k<").append(token.group(1)).append('>');
      } else {
        String value = names.pattern(token.group(1));
        regex.append("(?<").append(token.group(1)).append('>').append(value).append(')');
        known.add(token.group(1));
      }
    }
    return regex.toString();
  }

  /**
   * The parts of a file's name.
   *
   * @param load its level on each axis that the pattern has
   * @param names as the file has them
   */
  record Parts(String profile, Load load, int repetition, Names names) {}

  /**
   * The parts as written in the file's name.
   *
   * @param users empty when the pattern has none
   */
  record Names(String profile, String users, String repetition) {}

  /** Returns the parts of the name of a file below {@link #base}; empty if it does not match. */
  Optional<Parts> match(Path file) {
    Matcher match = files.matcher(base.relativize(file).toString().replace('\\', '/'));
    if (!match.matches()) {
      return Optional.empty();
    }
    Load load = new Load(Map.of());
    for (Axis axis : Axis.values()) {
      if (has(axis)) {
        load = load.with(axis, names.level(axis, match.group(axis.key())));
      }
    }
    return Optional.of(
        new Parts(
            names.profile(match.group("profile")),
            load,
            FileNames.number(match.group("repetition"), names.repetitions()),
            new Names(
                match.group("profile"),
                has(Axis.USERS) ? match.group(Axis.USERS.key()) : "",
                match.group("repetition"))));
  }

  /** Returns whether the names contain a level of this axis. */
  boolean has(Axis axis) {
    return text.contains("{" + axis.key() + "}");
  }

  @Override
  public String toString() {
    return text;
  }
}
