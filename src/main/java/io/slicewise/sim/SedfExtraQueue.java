package io.slicewise.sim;

/** A queue of vCPUs for spare time, by score; the lowest goes first. */
final class SedfExtraQueue {
  private final boolean penalty;
  private final SedfList queue = new SedfList();

  /** For those that lost guaranteed time, if {@code penalty}; else for everybody by weight. */
  SedfExtraQueue(boolean penalty) {
    this.penalty = penalty;
  }

  boolean isPenalty() {
    return penalty;
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }

  int size() {
    return queue.size();
  }

  SedfVcpu head() {
    return queue.get(0);
  }

  boolean contains(SedfVcpu unit) {
    return queue.contains(unit);
  }

  void remove(SedfVcpu unit) {
    queue.remove(unit);
  }

  long score(SedfVcpu unit) {
    return penalty ? unit.penaltyScore : unit.utilisationScore;
  }

  /** Inserts by score, and takes {@code less} off the scores of all others. */
  void insert(SedfVcpu unit, long less) {
    if (less != 0) {
      for (int i = 0; i < queue.size(); i++) {
        SedfVcpu other = queue.get(i);
        if (penalty) {
          other.penaltyScore -= less;
        } else {
          other.utilisationScore -= less;
        }
      }
    }
    long score = score(unit);
    int at = queue.size();
    while (at > 0 && score(queue.get(at - 1)) > score) {
      at--;
    }
    queue.insert(at, unit);
  }
}
