package io.slicewise.load.generator.child;

import io.slicewise.load.generator.GeneratorHealth;
import io.slicewise.load.generator.LoadProgress;
import io.slicewise.load.generator.LoadProgress.Worst;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.apache.jmeter.samplers.SampleEvent;
import org.apache.jmeter.samplers.SampleResult;

/** Receives every sample of every user once: counts it and passes it to the file. */
final class SampleTap extends WholeSamples {
  private static final long serialVersionUID = 1L;
  private static final int SECONDS = 10;

  /** What a time of 0 ms, which has no logarithm, may have been. */
  private static final double LEAST_MILLIS = 0.5;

  private final transient SampleFile file;
  private final transient Optional<OpenLoad> arrivals;
  private final transient LongAdder samples = new LongAdder();
  private final transient LongAdder failed = new LongAdder();
  private final transient DoubleAdder logs = new DoubleAdder();
  private final transient Recorder elapsed = new Recorder(2);
  private final transient Deque<Histogram> seconds = new ArrayDeque<>();
  private final transient Histogram recent = new Histogram(2);
  private final transient Deque<Mark> marks =
      new ArrayDeque<>(List.of(new Mark(System.nanoTime(), 0)));

  /** The number of samples at a point in time. */
  private record Mark(long nanos, long samples) {}

  SampleTap(SampleFile file, Optional<OpenLoad> arrivals) {
    this.file = file;
    this.arrivals = arrivals;
    setName("samples");
  }

  @Override
  public void sampleOccurred(SampleEvent event) {
    SampleResult result = event.getResult();
    samples.increment();
    if (!result.isSuccessful()) {
      failed.increment();
    }
    long late = arrivals.map(open -> open.lateMillis(result)).orElse(0L);
    long took = Math.max(0, result.getTime() + late);
    elapsed.recordValue(took);
    logs.add(Math.log(Math.max(LEAST_MILLIS, (double) took)));
    file.write(event, late);
  }

  /** Returns the numbers of the last ten calls; called by one thread, once a second. */
  LoadProgress progress(int users, GeneratorHealth health) {
    Mark now = new Mark(System.nanoTime(), samples.sum());
    Mark oldest = marks.size() > SECONDS ? marks.removeFirst() : marks.getFirst();
    marks.addLast(now);
    takeSecond();
    return new LoadProgress(
        users,
        now.samples(),
        failed.sum(),
        logs.sum(),
        (now.samples() - oldest.samples()) / ((now.nanos() - oldest.nanos()) / 1e9),
        recent.getTotalCount() == 0 ? Double.NaN : recent.getValueAtPercentile(95),
        new Worst(health.busyShare()),
        new Worst(health.latenessP99Millis()));
  }

  /** Returns the response times behind the last progress; called by the same thread. */
  Histogram recent() {
    return recent;
  }

  /** Updates the sliding sum: two passes over a histogram per second instead of ten. */
  private void takeSecond() {
    Histogram recycled = null;
    if (seconds.size() == SECONDS) {
      recycled = seconds.removeFirst();
      recent.subtract(recycled);
    }
    Histogram second = elapsed.getIntervalHistogram(recycled);
    recent.add(second);
    seconds.addLast(second);
  }
}
