package io.slicewise.load.jtl.text;

import java.util.Arrays;

/**
 * Values by their bytes in a file, in an open-addressing table. The first and last eight bytes of a
 * spelling are kept as words: they cover spellings of up to sixteen bytes, so that two comparisons
 * distinguish most.
 */
public final class Spellings<T> {
  private static final long MIX = 0x9e37_79b9_7f4a_7c15L;
  private static final int FIRST_SIZE = 64;

  private final int most;
  private Spelling<T>[] table;
  private int shift;
  private int size;

  /**
   * @param most maximum number of spellings
   */
  public Spellings(int most) {
    this.most = most;
    table = table(FIRST_SIZE);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private Spelling<T>[] table(int length) {
    shift = 1 + Long.numberOfLeadingZeros(length);
    return new Spelling[length];
  }

  /** The value of a known spelling; {@code null} for a new one. */
  public T find(byte[] bytes, int start, int end) {
    int length = end - start;
    long head = Words.first(Words.at(bytes, start), length);
    long tail = length < 8 ? head : Words.at(bytes, end - 8);
    int slot = slot(head, tail, length);
    while (true) {
      Spelling<T> spelling = table[slot];
      if (spelling == null) {
        return null;
      }
      if (spelling.head == head
          && spelling.tail == tail
          && spelling.bytes.length == length
          && (length <= 16 || Arrays.equals(spelling.bytes, 0, length, bytes, start, end))) {
        return spelling.value;
      }
      slot = (slot + 1) & (table.length - 1);
    }
  }

  private int slot(long head, long tail, int length) {
    long mixed = (head ^ Long.rotateLeft(tail, 29) ^ length) * MIX;
    return (int) (mixed >>> shift);
  }

  /** Adds a new spelling if there is room. */
  public void put(byte[] spelling, T value) {
    if (size == most) {
      return;
    }
    if (++size > table.length / 2) {
      Spelling<T>[] old = table;
      table = table(2 * old.length);
      for (Spelling<T> kept : old) {
        if (kept != null) {
          place(kept);
        }
      }
    }
    byte[] padded = Arrays.copyOf(spelling, spelling.length + Words.SLACK);
    int length = spelling.length;
    long head = Words.first(Words.at(padded, 0), length);
    long tail = length < 8 ? head : Words.at(padded, length - 8);
    place(new Spelling<>(head, tail, spelling, value));
  }

  private void place(Spelling<T> spelling) {
    int slot = slot(spelling.head, spelling.tail, spelling.bytes.length);
    while (table[slot] != null) {
      slot = (slot + 1) & (table.length - 1);
    }
    table[slot] = spelling;
  }

  private static final class Spelling<T> {
    private final long head;
    private final long tail;
    private final byte[] bytes;
    private final T value;

    Spelling(long head, long tail, byte[] bytes, T value) {
      this.head = head;
      this.tail = tail;
      this.bytes = bytes;
      this.value = value;
    }
  }
}
