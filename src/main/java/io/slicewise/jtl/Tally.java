package io.slicewise.jtl;

import java.util.LinkedHashMap;
import java.util.Map;

/** What is counted of one label. */
final class Tally {
  static final String OTHER_CODES = "(other codes)";

  private final String label;
  private final Times responses = new Times();
  private final Times latencies = new Times();
  private final Map<String, Long> errors = new LinkedHashMap<>();
  private long failed;
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

  /** Whether the code got, or has, a count of its own. */
  boolean addError(String code, int mostCodes) {
    failed++;
    boolean own = errors.containsKey(code) || errors.size() < mostCodes;
    errors.merge(own ? code : OTHER_CODES, 1L, Long::sum);
    return own;
  }

  /** How many different codes errors have had. */
  int codes() {
    return errors.size();
  }

  void add(Tally other) {
    responses.add(other.responses);
    latencies.add(other.latencies);
    other.errors.forEach((code, count) -> errors.merge(code, count, Long::sum));
    failed += other.failed;
    received += other.received;
    sent += other.sent;
  }

  /** What was counted; nothing may be counted after. */
  SampleSummary summary() {
    return new SampleSummary(
        label, failed, errors, responses.distribution(), latencies.distribution(), received, sent);
  }
}
