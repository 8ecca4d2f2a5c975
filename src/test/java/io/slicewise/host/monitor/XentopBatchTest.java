package io.slicewise.host.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.host.monitor.LogLines.Damage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protects the reading of xentop's batch output as real hosts and older formats print it. */
class XentopBatchTest {
  @TempDir private Path directory;

  @Test
  void readsALimitThatIsTwoWords() {
    XentopBatch batch = XentopBatch.of(Fixtures.text("xentop-4.17-batch.txt"));

    assertThat(batch.damage().total()).isZero();
    assertThat(batch.iterations())
        .containsExactly(
            Map.of("Domain-0", 0.0, "vmm-bench-", 0.0),
            Map.of("Domain-0", 12.3, "vmm-bench-", 99.7));
  }

  @ParameterizedTest
  @CsvSource({
    "xentop-b-i3-d1.txt, 3, Apache_Ser, 100.0",
    "xentop-b-f.txt, 2, Apache_Server, 99.4",
    "xentop-b-v.txt, 2, Apache_Ser, 100.0"
  })
  void readsWhatARealHostPrinted(String file, int iterations, String name, double percent) {
    XentopBatch batch = XentopBatch.of(Fixtures.text("real/" + file));

    assertThat(batch.damage().total()).isZero();
    assertThat(batch.iterations()).hasSize(iterations).allSatisfy(i -> assertThat(i).hasSize(4));
    assertThat(batch.iterations().get(iterations - 1)).containsEntry(name, percent);
  }

  @Test
  void countsLinesItCannotUse() {
    String text = Fixtures.text("real/xentop-b-f.txt");
    XentopBatch batch =
        XentopBatch.of("bash: warning: setlocale\n" + text.substring(0, text.length() - 40));

    assertThat(batch.damage().count(Damage.Kind.WRONG_FIELDS)).isEqualTo(1);
    assertThat(batch.damage().count(Damage.Kind.TRUNCATED)).isEqualTo(1);
    assertThat(batch.iterations().get(1)).hasSize(3);
  }

  @Test
  void leavesOutTheZerosOfARunAppendedToAnother() {
    String first = Fixtures.text("real/xentop-b-i3-d1.txt");
    String later = first.replaceAll("(?m)^(Apache_Ser \\S+ +)3", "$19");
    XentopBatch batch = XentopBatch.of(first + later);

    assertThat(batch.damage().count(Damage.Kind.REPEATED_HEADER)).isEqualTo(1);
    assertThat(batch.iterations()).hasSize(5);
    assertThat(batch.iterations().subList(1, 5)).allSatisfy(i -> assertThat(i).hasSize(4));
  }

  @Test
  void aNameWithHalfACharacterIsNoDomain() throws IOException {
    String text =
        Fixtures.text("real/xentop-b-f.txt").replace("Apache_Server", "Apach\u00e9_Server");
    Path file =
        Files.write(directory.resolve("top.log"), text.getBytes(StandardCharsets.ISO_8859_1));
    XentopBatch batch = XentopBatch.read(file);

    assertThat(batch.damage().count(Damage.Kind.HALF_CHARACTER)).isEqualTo(2);
    assertThat(batch.iterations().get(1)).hasSize(3);
  }

  @Test
  @Timeout(5)
  void isNotHeldUpByAnEndlessLineOfBlanks() {
    XentopBatch batch = XentopBatch.of("x" + " ".repeat(60_000) + "\n");

    assertThat(batch.damage().count(Damage.Kind.TOO_LONG)).isEqualTo(1);
  }
}
