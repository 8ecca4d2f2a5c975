package io.slicewise.lab.shell;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The open streams of a process, by number. */
final class Streams {
  private final Map<Integer, InputStream> inputs = new HashMap<>();
  private final Map<Integer, OutputStream> outputs = new HashMap<>();

  static Streams of(Invocation invocation) {
    Streams streams = new Streams();
    streams.input(0, invocation.input());
    streams.output(1, invocation.output());
    streams.output(2, invocation.errors());
    return streams;
  }

  Streams copy() {
    Streams copy = new Streams();
    copy.become(this);
    return copy;
  }

  void become(Streams other) {
    Map<Integer, InputStream> in = Map.copyOf(other.inputs);
    Map<Integer, OutputStream> out = Map.copyOf(other.outputs);
    inputs.clear();
    inputs.putAll(in);
    outputs.clear();
    outputs.putAll(out);
  }

  void input(int number, InputStream stream) {
    inputs.put(number, stream);
  }

  void output(int number, OutputStream stream) {
    outputs.put(number, stream);
  }

  InputStream in(int number) {
    return inputs.getOrDefault(number, InputStream.nullInputStream());
  }

  OutputStream out(int number) {
    return outputs.getOrDefault(number, OutputStream.nullOutputStream());
  }

  void complain(String text) throws IOException {
    out(2).write(text.getBytes(StandardCharsets.UTF_8));
    out(2).flush();
  }

  Invocation invocation(List<String> words, Map<String, String> environment) {
    return new Invocation(words, in(0), new Unclosed(out(1)), new Unclosed(out(2)), environment);
  }

  /** Redirects one stream; files that it opens for writing are added to {@code opened}. */
  void redirect(
      Script.Redirection redirection, String target, HostFiles files, List<OutputStream> opened)
      throws IOException {
    int number = redirection.number();
    switch (redirection.operator()) {
      case "<" ->
          input(
              number,
              target.equals("/dev/null") ? InputStream.nullInputStream() : file(target, files));
      case "<&" -> input(number, in(Integer.parseInt(target)));
      case ">&" -> output(number, out(Integer.parseInt(target)));
      default -> {
        OutputStream file = files.open(target, redirection.operator().equals(">>"));
        opened.add(file);
        output(number, file);
      }
    }
  }

  private static InputStream file(String name, HostFiles files) throws IOException {
    try {
      return new java.io.ByteArrayInputStream(files.read(name));
    } catch (java.io.FileNotFoundException missing) {
      throw new NoSuchFileException(name);
    }
  }
}
