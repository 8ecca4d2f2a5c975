package io.slicewise.base.units;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects that no file a user names can take all memory or all time. */
class InputFileTest {
  @TempDir private Path directory;

  @Test
  void refusesDevicesAlsoBehindALink() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("/dev/zero"));
    for (Path device : new Path[] {Path.of("/dev/zero"), Path.of("/dev/urandom"), link}) {
      assertRefused(() -> InputFile.text(device, 10), "it is a device, not a file");
      assertRefused(() -> InputFile.requireRegular(device), "it is a device, not a file");
    }
    assertRefused(() -> InputFile.text(directory, 10), "it is a directory");
    assertThatThrownBy(() -> Secret.inFile(Path.of("/dev/zero")))
        .hasMessageEndingWith("cannot be read: it is a device, not a file");
  }

  @Test
  void readsUpToTheLimitAndNotOneByteMore() throws IOException {
    Path file = Files.writeString(directory.resolve("text"), "x".repeat(3 << 20));
    assertThat(InputFile.text(file, 3 << 20)).hasSize(3 << 20);
    assertRefused(() -> InputFile.text(file, 2 << 20), "it is larger than 2 MiB");
    assertThatThrownBy(
            () -> InputFile.text(Files.write(directory.resolve("latin"), new byte[] {-28}), 9))
        .satisfies(
            fault ->
                assertThat(FileFault.reason((IOException) fault))
                    .isEqualTo("it is not UTF-8 text"));
  }

  @Test
  void refusesAPipeThatNobodyWrites() throws Exception {
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertRefused(() -> InputFile.requireRegular(pipe), "it is a pipe or a socket, not a file");
    assertRefused(() -> InputFile.text(pipe, 100), "it is a pipe or a socket, not a file");
    assertThatThrownBy(() -> Secret.inFile(pipe)).hasMessageEndingWith("a socket, not a file");
  }

  @Test
  void hidesLoginsInAddresses() {
    assertThat(Secret.masked("target http://u:p@ss@web/ and jdbc:x://h/d?a=b&password=c1;x=y"))
        .isEqualTo("target http://***@web/ and jdbc:x://h/d?a=b&password=***;x=y");
  }

  private static void assertRefused(ThrowingCallable reading, String words) {
    assertThatThrownBy(reading).isInstanceOf(IOException.class).hasMessage(words);
  }
}
