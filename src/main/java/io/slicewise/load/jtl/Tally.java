package io.slicewise.load.jtl;

import java.io.Serializable;
import java.util.Map;

/** The counts of one label. */
final class Tally implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String label;
  private final Times responses = new Times();
  private final Times latencies = new Times();
  private final ErrorCodes errors = new ErrorCodes();
  private long received;
  private long sent;

  Tally(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  /**
   * @param latency -1 if the file does not contain it
   */
  void add(int elapsed, int latency, long receivedBytes, long sentBytes) {
    responses.record(elapsed);
    if (latency >= 0) {
      latencies.record(latency);
    }
    received += receivedBytes;
    sent += sentBytes;
  }

  /** The errors of the failed samples. */
  ErrorCodes errors() {
    return errors;
  }

  void add(Tally other) {
    responses.add(other.responses);
    latencies.add(other.latencies);
    errors.add(other.errors);
    received += other.received;
    sent += other.sent;
  }

  /** The summary; nothing may be counted afterwards. */
  SampleSummary summary() {
    Map<String, Long> byCode = errors.byCode();
    long failed = byCode.values().stream().mapToLong(Long::longValue).sum();
    return new SampleSummary(
        label, failed, byCode, responses.distribution(), latencies.distribution(), received, sent);
  }
}
