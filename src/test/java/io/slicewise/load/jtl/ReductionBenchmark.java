package io.slicewise.load.jtl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Bytes a second of a warm reader, file in the page cache. The counter {@code bytes} is the number
 * to read: divided by 10⁹ it is GB/s.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class ReductionBenchmark {
  private static final long ROWS = 1_000_000;

  @Param({"csv", "xml"})
  private String format;

  @Param({"1", "2"})
  private int threads;

  private Path file;
  private long size;

  /** How many bytes were read. */
  @State(Scope.Thread)
  @AuxCounters
  public static class Read {
    public long bytes;
  }

  @Setup(Level.Trial)
  public void writeFile() throws IOException {
    file = Files.createTempFile("samples", "." + format);
    LargeFile.write(format.equals("xml"), ROWS, file);
    size = Files.size(file);
  }

  @TearDown(Level.Trial)
  public void deleteFile() throws IOException {
    Files.delete(file);
  }

  @Benchmark
  public Reduction reduce(Read read) {
    read.bytes += size;
    return Reductions.reduce(file, ReductionOptions.standard().onThreads(threads));
  }
}
