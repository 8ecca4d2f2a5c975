package io.slicewise.jtl;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The tallies, found by the label's bytes as they stand in the file, in an open-addressing table.
 * Of a spelling, its first and last eight bytes are kept as words: up to sixteen bytes they are the
 * whole of it, so that most labels are told apart by two comparisons. A label is decoded only when
 * a spelling is met first; two spellings may mean the same label.
 */
final class LabelTable {
  static final String OTHERS = "(other labels)";

  private static final long MIX = 0x9e37_79b9_7f4a_7c15L;

  private final int most;
  private final UnaryOperator<String> decoder;
  private final Map<String, Tally> tallies = new LinkedHashMap<>();
  private final Spelling[] table;
  private final int shift;
  private int spellings;
  private boolean overflowed;

  /**
   * @param most labels that get a tally of their own
   * @param decoder from a label as spelt in the file to the label meant
   */
  LabelTable(int most, UnaryOperator<String> decoder) {
    this.most = most;
    this.decoder = decoder;
    int size = Integer.highestOneBit(Math.max(16, most)) * 4;
    table = new Spelling[size];
    shift = 1 + Long.numberOfLeadingZeros(size);
  }

  /** The tally of a spelling met before; {@code null} for a new one. */
  Tally find(byte[] bytes, int start, int end) {
    int length = end - start;
    long head = Words.first(Words.at(bytes, start), length);
    long tail = length < 8 ? head : Words.at(bytes, end - 8);
    int slot = slot(head, tail, length);
    while (true) {
      Spelling spelling = table[slot];
      if (spelling == null) {
        return null;
      }
      if (spelling.head == head
          && spelling.tail == tail
          && spelling.bytes.length == length
          && (length <= 16 || Arrays.equals(spelling.bytes, 0, length, bytes, start, end))) {
        return spelling.tally;
      }
      slot = (slot + 1) & (table.length - 1);
    }
  }

  /**
   * Counts successful samples by label, up to the first whose label is in a spelling not met
   * before.
   *
   * @return that row, or {@code to}
   */
  int add(PlainRows rows, int from, int to) {
    int[] elapsed = rows.elapsed();
    int[] latencies = rows.latencies();
    int[] received = rows.received();
    int[] sent = rows.sent();
    byte[] bytes = rows.bytes();
    for (int row = from; row < to; row++) {
      Tally tally = find(bytes, rows.labelStart(row), rows.labelEnd(row));
      if (tally == null) {
        return row;
      }
      tally.add(elapsed[row], latencies[row], received[row], sent[row]);
    }
    return to;
  }

  private int slot(long head, long tail, int length) {
    long mixed = (head ^ Long.rotateLeft(tail, 29) ^ length) * MIX;
    return (int) (mixed >>> shift);
  }

  /**
   * The tally of a row's label, met in a new spelling; the one of all others when there are too
   * many.
   *
   * @param damage where labels are noted that are no text
   */
  Tally admit(Row row, DamageLog damage, long line) {
    byte[] bytes = row.bytes;
    int start = row.labelStart;
    int end = row.labelEnd;
    Optional<String> text = text(bytes, start, end);
    if (text.isEmpty()) {
      damage.note(DamageKind.HALF_CHARACTER, line);
    }
    String written =
        text.orElseGet(() -> new String(bytes, start, end - start, StandardCharsets.UTF_8));
    String label = row.spelt ? decoder.apply(written) : written;
    boolean own = tallies.containsKey(label) || tallies.size() < most;
    if (!own) {
      overflowed = true;
      damage.note(DamageKind.MANY_LABELS, line);
    }
    Tally tally = tallies.computeIfAbsent(own ? label : OTHERS, Tally::new);
    if (own && row.spelt && text.isPresent() && spellings < table.length / 2) {
      remember(Arrays.copyOfRange(bytes, start, end), tally);
    }
    return tally;
  }

  private static Optional<String> text(byte[] bytes, int start, int end) {
    try {
      ByteBuffer label = ByteBuffer.wrap(bytes, start, end - start);
      return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(label).toString());
    } catch (CharacterCodingException halfCharacter) {
      return Optional.empty();
    }
  }

  private void remember(byte[] spelling, Tally tally) {
    byte[] padded = Arrays.copyOf(spelling, spelling.length + Words.SLACK);
    int length = spelling.length;
    long head = Words.first(Words.at(padded, 0), length);
    long tail = length < 8 ? head : Words.at(padded, length - 8);
    int slot = slot(head, tail, length);
    while (table[slot] != null) {
      slot = (slot + 1) & (table.length - 1);
    }
    table[slot] = new Spelling(head, tail, spelling, tally);
    spellings++;
  }

  /** Takes over the tallies of what stood further down in the same file. */
  void append(LabelTable later) {
    later.tallies.forEach(
        (label, tally) -> {
          boolean own = tallies.containsKey(label) || tallies.size() < most;
          overflowed |= !own;
          tallies.computeIfAbsent(own ? label : OTHERS, Tally::new).add(tally);
        });
    overflowed |= later.overflowed;
  }

  /** Whether some labels had to share one tally. */
  boolean overflowed() {
    return overflowed;
  }

  /** In order of first appearance. */
  List<Tally> tallies() {
    return new ArrayList<>(tallies.values());
  }

  private static final class Spelling {
    private final long head;
    private final long tail;
    private final byte[] bytes;
    private final Tally tally;

    Spelling(long head, long tail, byte[] bytes, Tally tally) {
      this.head = head;
      this.tail = tail;
      this.bytes = bytes;
      this.tally = tally;
    }
  }
}
