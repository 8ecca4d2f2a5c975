package io.slicewise.lab.sim;

/** A vCPU's node in one of its pCPU's {@link SedfList}s. It links to itself while in no list. */
final class SedfLink {
  final SedfVcpu unit;

  /** The key by which it is or was last queued. */
  long key;

  SedfLink next = this;
  SedfLink previous = this;

  SedfLink(SedfVcpu unit) {
    this.unit = unit;
  }

  boolean queued() {
    return next != this;
  }

  /** Removes it from its queue, if it is in one. */
  void remove() {
    previous.next = next;
    next.previous = previous;
    next = this;
    previous = this;
  }
}
