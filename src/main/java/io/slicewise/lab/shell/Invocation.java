package io.slicewise.lab.shell;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One run of a tool.
 *
 * @param words the tool's name and its arguments
 * @param input standard input
 * @param output standard output
 * @param errors standard error
 * @param environment its variables
 */
public record Invocation(
    List<String> words,
    InputStream input,
    OutputStream output,
    OutputStream errors,
    Map<String, String> environment) {
  /** The variable that names the user. */
  public static final String USER = "USER";

  /** The variable that names both ends of the SSH connection, as OpenSSH sets it. */
  public static final String CONNECTION = "SSH_CONNECTION";

  /** The variable that names the working directory. */
  static final String DIRECTORY = "PWD";

  /** The directory in which a shell starts. */
  static final String HOME = "/root";

  /** The superuser. */
  public static final String ROOT = "root";

  /** A user of the group that may manage guests without restriction. */
  public static final String MEMBER = "labuser";

  public Invocation {
    words = List.copyOf(words);
    environment = Map.copyOf(environment);
  }

  public List<String> arguments() {
    return words.subList(1, words.size());
  }

  public Invocation withWords(List<String> others) {
    return new Invocation(others, input, output, errors, environment);
  }

  /** Returns this invocation with further variables. */
  public Invocation with(Map<String, String> variables) {
    Map<String, String> all = new HashMap<>(environment);
    all.putAll(variables);
    return new Invocation(words, input, output, errors, all);
  }

  /** Returns the absolute path of a name. */
  public String path(String name) {
    return name.startsWith("/") ? name : environment.getOrDefault(DIRECTORY, HOME) + "/" + name;
  }

  /** Returns the user who runs the tool. */
  public String user() {
    return environment.getOrDefault(USER, ROOT);
  }

  /** Returns both ends of the connection; empty without one. */
  public String connection() {
    return environment.getOrDefault(CONNECTION, "");
  }

  /** Writes to standard output like C's printf, with English number formats in every locale. */
  public void print(String format, Object... values) throws IOException {
    write(output, format, values);
  }

  /** Writes to standard error. */
  public void complain(String format, Object... values) throws IOException {
    write(errors, format, values);
  }

  private static void write(OutputStream to, String format, Object... values) throws IOException {
    String text = values.length == 0 ? format : String.format(Locale.ROOT, format, values);
    to.write(text.getBytes(StandardCharsets.UTF_8));
    to.flush();
  }
}
