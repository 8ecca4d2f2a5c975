package io.slicewise.sim;

import java.util.Arrays;

/** A handful of vCPUs in an order that the owner keeps; leaner than a general list. */
final class SedfList {
  private SedfVcpu[] units = new SedfVcpu[8];
  private int size;

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  SedfVcpu get(int at) {
    return units[at];
  }

  void insert(int at, SedfVcpu unit) {
    if (size == units.length) {
      units = Arrays.copyOf(units, size * 2);
    }
    for (int i = size++; i > at; i--) {
      units[i] = units[i - 1];
    }
    units[at] = unit;
  }

  boolean contains(SedfVcpu unit) {
    return indexOf(unit) >= 0;
  }

  /** Whoever is looked for runs, mostly, and who runs is at the head. */
  private int indexOf(SedfVcpu unit) {
    for (int at = 0; at < size; at++) {
      if (units[at] == unit) {
        return at;
      }
    }
    return -1;
  }

  /** Removes a vCPU, and says whether it was there. */
  boolean remove(SedfVcpu unit) {
    int at = indexOf(unit);
    if (at < 0) {
      return false;
    }
    removeAt(at);
    return true;
  }

  SedfVcpu removeFirst() {
    SedfVcpu first = units[0];
    removeAt(0);
    return first;
  }

  private void removeAt(int at) {
    size--;
    for (int i = at; i < size; i++) {
      units[i] = units[i + 1];
    }
    units[size] = null;
  }
}
