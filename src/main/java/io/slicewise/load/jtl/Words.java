package io.slicewise.load.jtl;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Eight bytes at a time, in a {@code long} whose lowest byte is the first. A match marks the top
 * bit of a byte; of {@link #matches} the lowest mark is always right, marks above it may be wrong,
 * so that only {@link #index} may be asked (Warren, Hacker's Delight, 6–1: find first 0-byte).
 */
final class Words {
  /** Bytes that a buffer must have to spare behind its last one. */
  static final int SLACK = 64;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long ZEROS = ONES * '0';
  static final long TOPS = 0x8080_8080_8080_8080L;

  private Words() {}

  static long at(byte[] bytes, int index) {
    return (long) LONGS.get(bytes, index);
  }

  static void put(byte[] bytes, int index, long word) {
    LONGS.set(bytes, index, word);
  }

  /** The same byte eight times. */
  static long all(int letter) {
    return ONES * (letter & 0xff);
  }

  /** The first eight letters of a text as a word; shorter texts are filled with zeros. */
  static long of(String text) {
    long word = 0;
    for (int i = Math.min(8, text.length()) - 1; i >= 0; i--) {
      word = word << 8 | text.charAt(i);
    }
    return word;
  }

  /** Marks the bytes that equal those of a pattern made by {@link #all}. */
  static long matches(long word, long pattern) {
    long difference = word ^ pattern;
    return (difference - ONES) & ~difference & TOPS;
  }

  /**
   * Marks every byte that equals those of a pattern, and no other: a sum of seven bits each cannot
   * carry into its neighbour.
   */
  static long allMatches(long word, long pattern) {
    long difference = word ^ pattern;
    return ~(((difference & ~TOPS) + ~TOPS) | difference) & TOPS;
  }

  /** The marks of eight bytes as the eight lowest bits, in order. */
  static long bits(long marks) {
    return (marks * 0x0002_0408_1020_4081L) >>> 56;
  }

  /** Marks the bytes that are no decimal digits. */
  static long nonDigits(long word) {
    return ((word + 0x4646_4646_4646_4646L) | (word - 0x3030_3030_3030_3030L)) & TOPS;
  }

  /** The place of the first byte marked, 0 to 7; 8 for none. */
  static int index(long marks) {
    return Long.numberOfTrailingZeros(marks) >>> 3;
  }

  /** Only the first bytes of a word, zeros behind; none gives 0. */
  static long first(long word, int bytes) {
    return bytes >= 8 ? word : word & ((1L << (bytes << 3)) - 1);
  }

  /**
   * The first bytes of a word as the values of digits, behind zeros up to eight; a byte that was no
   * digit has a value above 9.
   *
   * @param digits 1 to 8
   */
  static long values(long word, int digits) {
    return (word ^ ZEROS) << ((8 - digits) << 3);
  }

  /**
   * Of digits' values, top bits for bytes above 9, and perhaps for others above those. The other
   * bits mean nothing.
   */
  static long wrong(long values) {
    return (values + 0x7676_7676_7676_7676L) | values;
  }

  /** The number of eight digits' values: neighbours are joined, then pairs, then fours. */
  static int number(long values) {
    long pairs = ((values * (10 * 0x100 + 1)) >>> 8) & 0x00ff_00ff_00ff_00ffL;
    long fours = ((pairs * (100 * 0x1_0000 + 1)) >>> 16) & 0x0000_ffff_0000_ffffL;
    return (int) ((fours * (10_000 * 0x1_0000_0000L + 1)) >>> 32);
  }
}
