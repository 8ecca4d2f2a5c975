package io.slicewise.lab.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The conditions of {@code test} and {@code [}: on files, texts and integers.
 *
 * @param paths turns a name into an absolute path
 */
record TestExpression(HostFiles files, UnaryOperator<String> paths) {
  /**
   * Evaluates a condition.
   *
   * @throws IllegalArgumentException if the condition is not supported
   */
  boolean holds(List<String> words) throws IOException {
    return switch (words.size()) {
      case 0 -> false;
      case 1 -> !words.get(0).isEmpty();
      case 2 ->
          words.get(0).equals("!") ? words.get(1).isEmpty() : unary(words.get(0), words.get(1));
      default -> {
        if (words.get(0).equals("!")) {
          yield !holds(words.subList(1, words.size()));
        }
        if (words.size() > 3) {
          throw new IllegalArgumentException("too many arguments");
        }
        yield binary(words.get(0), words.get(1), words.get(2));
      }
    };
  }

  private boolean unary(String operator, String word) throws IOException {
    Path path = files.locate(paths.apply(word));
    return switch (operator) {
      case "-n" -> !word.isEmpty();
      case "-z" -> word.isEmpty();
      case "-f" -> Files.isRegularFile(path);
      case "-d" -> Files.isDirectory(path);
      case "-s" ->
          Files.exists(path)
              && (Files.isDirectory(path) || files.read(paths.apply(word)).length > 0);
      case "-L", "-h" -> files.linkTarget(paths.apply(word)).isPresent();
      case "-e", "-r", "-w", "-x" -> Files.exists(path);
      default -> throw new IllegalArgumentException(operator + ": unary operator expected");
    };
  }

  private static boolean binary(String left, String operator, String right) {
    return switch (operator) {
      case "=", "==" -> left.equals(right);
      case "!=" -> !left.equals(right);
      case "-eq" -> number(left) == number(right);
      case "-ne" -> number(left) != number(right);
      case "-lt" -> number(left) < number(right);
      case "-le" -> number(left) <= number(right);
      case "-gt" -> number(left) > number(right);
      case "-ge" -> number(left) >= number(right);
      default -> throw new IllegalArgumentException(operator + ": binary operator expected");
    };
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException fault) {
      throw new IllegalArgumentException(text + ": integer expression expected", fault);
    }
  }
}
