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
 * One start of a tool.
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

  /** The variable that names the working directory. */
  static final String DIRECTORY = "PWD";

  /** Where a shell begins. */
  static final String HOME = "/root";

  /** The user who may do everything. */
  public static final String ROOT = "root";

  /** A user of the group that may do everything with guests. */
  public static final String MEMBER = "labuser";

  public Invocation {
    words = List.copyOf(words);
    environment = Map.copyOf(environment);
  }

  /** By root. */
  public Invocation(
      List<String> words, InputStream input, OutputStream output, OutputStream errors) {
    this(words, input, output, errors, Map.of(USER, ROOT));
  }

  /** Without anything to read. */
  public Invocation(List<String> words, OutputStream output, OutputStream errors) {
    this(words, InputStream.nullInputStream(), output, errors);
  }

  public List<String> arguments() {
    return words.subList(1, words.size());
  }

  public Invocation withWords(List<String> others) {
    return new Invocation(others, input, output, errors, environment);
  }

  /** With further variables. */
  public Invocation with(Map<String, String> variables) {
    Map<String, String> all = new HashMap<>(environment);
    all.putAll(variables);
    return new Invocation(words, input, output, errors, all);
  }

  /** A name as a path from the root, however it was written. */
  public String path(String name) {
    return name.startsWith("/") ? name : environment.getOrDefault(DIRECTORY, HOME) + "/" + name;
  }

  /** Who runs it. */
  public String user() {
    return environment.getOrDefault(USER, ROOT);
  }

  /** Writes to standard output as C's printf would: English numbers whatever the locale. */
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
