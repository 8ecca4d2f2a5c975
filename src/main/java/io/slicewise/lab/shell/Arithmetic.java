package io.slicewise.lab.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code $((…))}: integers, variables, {@code + - * / %} and parentheses. */
final class Arithmetic {
  private static final Pattern TOKEN = Pattern.compile("\\s*(\\d+|\\$?[A-Za-z_]\\w*|\\S)");

  private final List<String> tokens = new ArrayList<>();
  private final UnaryOperator<String> variables;
  private int at;

  private Arithmetic(String text, UnaryOperator<String> variables) {
    this.variables = variables;
    Matcher matcher = TOKEN.matcher(text);
    while (matcher.find()) {
      tokens.add(matcher.group(1));
    }
  }

  static long of(String text, UnaryOperator<String> variables) {
    return new Arithmetic(text, variables).sum();
  }

  private String next() {
    return at < tokens.size() ? tokens.get(at) : "";
  }

  private long sum() {
    long value = product();
    while (next().equals("+") || next().equals("-")) {
      value += tokens.get(at++).equals("+") ? product() : -product();
    }
    return value;
  }

  private long product() {
    long value = factor();
    while (next().matches("[*/%]")) {
      String operator = tokens.get(at++);
      long other = factor();
      value =
          operator.equals("*")
              ? value * other
              : operator.equals("/") ? value / other : value % other;
    }
    return value;
  }

  private long factor() {
    String token = next();
    at++;
    if (token.equals("(")) {
      long value = sum();
      at++;
      return value;
    }
    if (token.equals("-")) {
      return -factor();
    }
    return token.matches("\\d+")
        ? Long.parseLong(token)
        : Getopt.strtol(variables.apply(token.replace("$", "")));
  }
}
