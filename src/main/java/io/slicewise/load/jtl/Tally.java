package io.slicewise.load.jtl;

import java.util.Map;

/** What is counted of one label. */
final class Tally {
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
   * @param latency -1 when the file does not tell
   */
  void add(int elapsed, int latency, long receivedBytes, long sentBytes) {
    responses.record(elapsed);
    if (latency >= 0) {
      latencies.record(latency);
    }
    received += receivedBytes;
    sent += sentBytes;
  }

  /** Those of the samples that failed. */
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

  /** What was counted; nothing may be counted after. */
  SampleSummary summary() {
    Map<String, Long> byCode = errors.byCode();
    long failed = byCode.values().stream().mapToLong(Long::longValue).sum();
    return new SampleSummary(
        label, failed, byCode, responses.distribution(), latencies.distribution(), received, sent);
  }
}
