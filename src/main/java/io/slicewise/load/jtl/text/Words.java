package io.slicewise.load.jtl.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Eight bytes at a time, in a {@code long} whose lowest byte is the first. A match marks the top
 * bit of a byte; the lowest mark of {@link #matches} is always correct, marks above it may be
 * wrong, so only {@link #index} may be used (Warren, Hacker's Delight, 6–1: find first 0-byte).
 */
public final class Words {
  /** Spare bytes that a buffer must have after its last one. */
  public static final int SLACK = 64;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long ZEROS = ONES * '0';
  public static final long TOPS = 0x8080_8080_8080_8080L;

  private Words() {}

  public static long at(byte[] bytes, int index) {
    return (long) LONGS.get(bytes, index);
  }

  public static void put(byte[] bytes, int index, long word) {
    LONGS.set(bytes, index, word);
  }

  /** The same byte eight times. */
  public static long all(int letter) {
    return ONES * (letter & 0xff);
  }

  /** The first eight letters of a text as a word; shorter texts are filled with zeros. */
  public static long of(String text) {
    long word = 0;
    for (int i = Math.min(8, text.length()) - 1; i >= 0; i--) {
      word = word << 8 | text.charAt(i);
    }
    return word;
  }

  /** Marks the bytes that equal those of a pattern made by {@link #all}. */
  public static long matches(long word, long pattern) {
    long difference = word ^ pattern;
    return (difference - ONES) & ~difference & TOPS;
  }

  /**
   * Marks exactly the bytes that equal those of a pattern: sums of seven bits cannot carry into the
   * next byte.
   */
  public static long allMatches(long word, long pattern) {
    long difference = word ^ pattern;
    return ~(((difference & ~TOPS) + ~TOPS) | difference) & TOPS;
  }

  /** The marks of eight bytes as the eight lowest bits, in order. */
  public static long bits(long marks) {
    return (marks * 0x0002_0408_1020_4081L) >>> 56;
  }

  /** Marks the bytes that are not decimal digits. */
  public static long nonDigits(long word) {
    return ((word + 0x4646_4646_4646_4646L) | (word - 0x3030_3030_3030_3030L)) & TOPS;
  }

  /** The position of the first marked byte, 0 to 7; 8 for none. */
  public static int index(long marks) {
    return Long.numberOfTrailingZeros(marks) >>> 3;
  }

  /** The first bytes of a word, followed by zeros. */
  public static long first(long word, int bytes) {
    return bytes >= 8 ? word : word & ((1L << (bytes << 3)) - 1);
  }

  /**
   * The first bytes of a word as the values of digits, with leading zeros up to eight; a byte that
   * is not a digit has a value above 9.
   *
   * @param digits 1 to 8
   */
  public static long values(long word, int digits) {
    return (word ^ ZEROS) << ((8 - digits) << 3);
  }

  /**
   * Sets the top bits of digit values above 9, and possibly of higher bytes. The other bits are
   * meaningless.
   */
  public static long wrong(long values) {
    return (values + 0x7676_7676_7676_7676L) | values;
  }

  /** The number of eight digit values: neighbours are combined, then pairs, then fours. */
  public static int number(long values) {
    long pairs = ((values * (10 * 0x100 + 1)) >>> 8) & 0x00ff_00ff_00ff_00ffL;
    long fours = ((pairs * (100 * 0x1_0000 + 1)) >>> 16) & 0x0000_ffff_0000_ffffL;
    return (int) ((fours * (10_000 * 0x1_0000_0000L + 1)) >>> 32);
  }
}
