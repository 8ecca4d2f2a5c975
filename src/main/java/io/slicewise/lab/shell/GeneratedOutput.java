package io.slicewise.lab.shell;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;

/** The output to a generated file. Each flush passes on one write. */
final class GeneratedOutput extends ByteArrayOutputStream {
  private final Optional<Consumer<String>> write;

  GeneratedOutput(Optional<Consumer<String>> write) {
    this.write = write;
  }

  @Override
  public void flush() throws IOException {
    if (size() == 0) {
      return;
    }
    String text = toString(StandardCharsets.UTF_8);
    reset();
    try {
      write.orElseThrow(() -> new IllegalStateException("Permission denied")).accept(text);
    } catch (RuntimeException refused) {
      throw new WriteRefusedException(String.valueOf(refused.getMessage()));
    }
  }

  @Override
  public void close() throws IOException {
    flush();
  }
}
