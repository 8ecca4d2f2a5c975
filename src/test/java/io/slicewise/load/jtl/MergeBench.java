package io.slicewise.load.jtl;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.slicewise.base.units.Window;
import io.slicewise.load.jtl.GeneratorSamples.SampleCount;
import io.slicewise.load.jtl.GeneratorSamples.SamplesThere;
import io.slicewise.load.jtl.Reductions.LedgerCount;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures the merge of the results of 100 generators with a million samples each: from their
 * counts, and from their samples. Both results must be equal.
 */
@Tag("bench")
class MergeBench {
  private static final int GENERATORS = 100;
  private static final int FETCHED = 5;
  private static final int ROWS = 1_000_000;
  private static final Window WINDOW =
      new Window(
          Instant.ofEpochMilli(1_700_000_010_000L), Instant.ofEpochMilli(1_700_000_310_000L));

  @Test
  void hundredResultsOfAMillionSamples(@TempDir Path directory) throws IOException {
    Path samples = samples(directory);
    GeneratorSamples near = new GeneratorSamples(samples);
    Path counted = directory.resolve("counted");
    ReductionOptions options = ReductionOptions.standard();
    measured("counting on one generator", () -> near.count(LedgerCount.of(WINDOW, options)));
    CountProgram.write(near.count(LedgerCount.of(WINDOW, options)), counted);
    System.out.printf(
        "samples of one: %.1f MB, its count: %.0f kB%n",
        Files.size(samples) / 1e6, Files.size(counted) / 1e3);

    GeneratorSamples far =
        new GeneratorSamples(samples, Duration.ZERO, Optional.of(new Received(counted)));
    measured(
        "merging 100 counts", () -> Reductions.reduce(copies(far, GENERATORS), WINDOW, options));
    Reduction fromCounts = Reductions.reduce(copies(far, FETCHED), WINDOW, options);
    Reduction fromSamples =
        measured(
            "reducing 5 files here",
            () -> Reductions.reduce(copies(near, FETCHED), WINDOW, options));

    assertThat(fromCounts).isEqualTo(fromSamples);
  }

  private static List<GeneratorSamples> copies(GeneratorSamples one, int number) {
    return IntStream.range(0, number).mapToObj(place -> one).toList();
  }

  private static Path samples(Path directory) throws IOException {
    Path csv = directory.resolve("samples.csv");
    LargeFile.write(false, ROWS, csv);
    Path packed = directory.resolve("samples.jtl.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      Files.copy(csv, out);
    }
    return packed;
  }

  /** A count that has arrived from its generator. */
  private record Received(Path file) implements SamplesThere {
    @Override
    public <T extends Serializable> T count(SampleCount<T> count) {
      try {
        return CountProgram.read(file, count.type());
      } catch (IOException fault) {
        throw new UncheckedIOException(fault);
      }
    }
  }

  private interface Work<T> {
    T done() throws IOException;
  }

  private static <T> T measured(String what, Work<T> work) throws IOException {
    System.gc();
    List<MemoryPoolMXBean> pools =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == java.lang.management.MemoryType.HEAP)
            .toList();
    long before = pools.stream().mapToLong(pool -> pool.getUsage().getUsed()).sum();
    pools.forEach(MemoryPoolMXBean::resetPeakUsage);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long allocated = threads.getThreadAllocatedBytes(thread);
    long cpu = threads.getCurrentThreadCpuTime();
    long began = System.nanoTime();
    T result = work.done();
    System.out.printf(
        "%s: %.2f s, %.2f CPU-s, %.0f MB allocated, heap grew by at most %.0f MB%n",
        what,
        (System.nanoTime() - began) / 1e9,
        (threads.getCurrentThreadCpuTime() - cpu) / 1e9,
        (threads.getThreadAllocatedBytes(thread) - allocated) / 1e6,
        (pools.stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum() - before) / 1e6);
    return result;
  }
}
