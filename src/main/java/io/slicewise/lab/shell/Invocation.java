package io.slicewise.lab.shell;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * One start of a tool.
 *
 * @param words the tool's name and its arguments
 * @param input standard input
 * @param output standard output
 * @param errors standard error
 */
public record Invocation(
    List<String> words, InputStream input, OutputStream output, OutputStream errors) {
  public Invocation {
    words = List.copyOf(words);
  }

  /** Without anything to read. */
  public Invocation(List<String> words, OutputStream output, OutputStream errors) {
    this(words, InputStream.nullInputStream(), output, errors);
  }

  public List<String> arguments() {
    return words.subList(1, words.size());
  }

  public Invocation withWords(List<String> others) {
    return new Invocation(others, input, output, errors);
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
