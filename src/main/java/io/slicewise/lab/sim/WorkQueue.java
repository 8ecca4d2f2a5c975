package io.slicewise.lab.sim;

import java.util.function.LongConsumer;

/** Bursts that wait inside a guest for one of its vCPUs, first come first served. */
final class WorkQueue {
  private long[] bursts = new long[16];
  private LongConsumer[] completions = new LongConsumer[16];
  private int head;
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  void add(long burstNanos, LongConsumer done) {
    if (size == bursts.length) {
      grow();
    }
    int tail = (head + size++) & (bursts.length - 1);
    bursts[tail] = burstNanos;
    completions[tail] = done;
  }

  long burstNanos() {
    return bursts[head];
  }

  LongConsumer completion() {
    return completions[head];
  }

  void drop() {
    completions[head] = null;
    head = (head + 1) & (bursts.length - 1);
    size--;
  }

  private void grow() {
    long[] moreBursts = new long[size * 2];
    LongConsumer[] moreCompletions = new LongConsumer[size * 2];
    for (int i = 0; i < size; i++) {
      int from = (head + i) & (size - 1);
      moreBursts[i] = bursts[from];
      moreCompletions[i] = completions[from];
    }
    bursts = moreBursts;
    completions = moreCompletions;
    head = 0;
  }
}
