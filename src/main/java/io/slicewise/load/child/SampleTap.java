package io.slicewise.load.child;

import io.slicewise.load.LoadProgress;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.apache.jmeter.engine.util.NoThreadClone;
import org.apache.jmeter.samplers.SampleEvent;
import org.apache.jmeter.samplers.SampleListener;
import org.apache.jmeter.samplers.SampleResult;
import org.apache.jmeter.testelement.AbstractTestElement;
import org.apache.jmeter.threads.JMeterContextService;

/** Sees every sample of every user once: counts it and hands it to the file. */
final class SampleTap extends AbstractTestElement implements SampleListener, NoThreadClone {
  private static final long serialVersionUID = 1L;

  private final transient SampleFile file;
  private final transient LongAdder samples = new LongAdder();
  private final transient LongAdder failed = new LongAdder();
  private final transient Recorder elapsed = new Recorder(2);
  private transient long samplesBefore;
  private transient long nanosBefore = System.nanoTime();

  SampleTap(SampleFile file) {
    this.file = file;
    setName("samples");
  }

  @Override
  public void sampleOccurred(SampleEvent event) {
    SampleResult result = event.getResult();
    samples.increment();
    if (!result.isSuccessful()) {
      failed.increment();
    }
    elapsed.recordValue(Math.max(0, result.getTime()));
    file.write(event);
  }

  @Override
  public void sampleStarted(SampleEvent event) {
    // Only whole samples count.
  }

  @Override
  public void sampleStopped(SampleEvent event) {
    // Only whole samples count.
  }

  /** The numbers since the call before; for one thread, once a second. */
  LoadProgress progress() {
    long nanos = System.nanoTime();
    long count = samples.sum();
    Histogram second = elapsed.getIntervalHistogram();
    double rate = (count - samplesBefore) / ((nanos - nanosBefore) / 1e9);
    double p95 = second.getTotalCount() == 0 ? Double.NaN : second.getValueAtPercentile(95);
    samplesBefore = count;
    nanosBefore = nanos;
    return new LoadProgress(
        JMeterContextService.getNumberOfThreads(), count, failed.sum(), rate, p95);
  }
}
