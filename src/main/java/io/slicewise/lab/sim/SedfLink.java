package io.slicewise.lab.sim;

/** A vCPU's place in one of its pCPU's {@link SedfList}s; linked to itself while in none. */
final class SedfLink {
  final SedfVcpu unit;

  /** What it is queued by, or was last. */
  long key;

  SedfLink next = this;
  SedfLink previous = this;

  SedfLink(SedfVcpu unit) {
    this.unit = unit;
  }

  boolean queued() {
    return next != this;
  }

  /** Leaves the queue it is in, if any. */
  void remove() {
    previous.next = next;
    next.previous = previous;
    next = this;
    previous = this;
  }
}
