package io.slicewise.load.generator.child;

import java.util.Optional;
import org.apache.jmeter.samplers.SampleEvent;
import org.apache.jmeter.samplers.SampleResult;
import org.apache.jmeter.util.JMeterUtils;

/**
 * Writes the requests inside a transaction controller's parent sample, which JMeter hands over only
 * with their parent, and marks the sums of transactions that ended with their user, which JMeter
 * writes without a message. A request's own parts (redirects, embedded resources) are omitted.
 */
final class ParentParts extends WholeSamples {
  /** The JMeter property that enables it. */
  private static final String PROPERTY = "slicewise.requests-of-parents";

  private static final String MESSAGE = "Number of samples in transaction : ";
  private static final long serialVersionUID = 1L;

  private final transient SampleFile file;
  private final transient Optional<OpenLoad> arrivals;

  ParentParts(SampleFile file, Optional<OpenLoad> arrivals) {
    this.file = file;
    this.arrivals = arrivals;
    setName("requests of parents");
  }

  /** Whether the run's properties enable it. */
  static boolean isAskedFor() {
    return JMeterUtils.getPropDefault(PROPERTY, false);
  }

  @Override
  public void sampleOccurred(SampleEvent event) {
    SampleResult result = event.getResult();
    if (event.isTransactionSampleEvent() && result.getResponseMessage().isEmpty()) {
      result.setResponseMessage(MESSAGE + "unknown, its user ended");
    }
    if (isSum(result)) {
      writeParts(result, event.getThreadGroup());
    }
  }

  private void writeParts(SampleResult sum, String threadGroup) {
    for (SampleResult part : sum.getSubResults()) {
      if (isSum(part)) {
        writeParts(part, threadGroup);
      }
      file.write(
          new SampleEvent(part, threadGroup),
          arrivals.map(open -> open.lateMillis(part)).orElse(0L));
    }
  }

  private static boolean isSum(SampleResult result) {
    return result.getResponseMessage().startsWith(MESSAGE);
  }
}
