package io.slicewise.load.generator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The samples of a killed generator are kept up to their last whole line. */
class SalvageTest {
  @TempDir Path directory;

  @Test
  void keepsEveryWholeLineOfAFileCutAnywhere() throws IOException {
    String text =
        IntStream.range(0, 5_000)
            .mapToObj(row -> row + "," + row * 7919 % 1000 + ",page\n")
            .collect(Collectors.joining());
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    int flushed = compress(text, file);
    byte[] whole = file.toByteArray();
    for (int length = 20; length < whole.length; length += 977) {
      Path samples = directory.resolve("samples.jtl.gz");
      Files.write(samples, Arrays.copyOf(whole, length));

      Salvage.complete(samples);

      String kept = read(samples);
      assertThat(text).startsWith(kept);
      assertThat(kept.isEmpty() || kept.endsWith("\n")).isTrue();
      if (length >= flushed) {
        assertThat(kept.length()).isGreaterThanOrEqualTo(text.length() / 2 - 20);
      }
    }
  }

  /** Returns the length of the file after the flush in the middle of the text. */
  private static int compress(String text, ByteArrayOutputStream file) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try (GZIPOutputStream gzip = new GZIPOutputStream(file, 512, true)) {
      gzip.write(bytes, 0, bytes.length / 2);
      gzip.flush();
      int flushed = file.size();
      gzip.write(bytes, bytes.length / 2, bytes.length - bytes.length / 2);
      return flushed;
    }
  }

  private static String read(Path samples) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(samples))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
