package io.slicewise.load.jtl;

import io.slicewise.load.jtl.DamageLog.DamageKind;
import io.slicewise.load.jtl.Kinship.PartName;
import io.slicewise.load.jtl.text.Spellings;
import java.io.Serializable;
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
 * The tallies by the bytes of the label in the file. Each spelling of a label is decoded only once;
 * two spellings may mean the same label.
 */
final class LabelTable implements Serializable {
  private static final long serialVersionUID = 1L;

  static final String OTHERS = "(other labels)";

  private final int most;
  private final transient UnaryOperator<String> decoder;
  private final Map<String, Tally> tallies = new LinkedHashMap<>();
  private final transient Spellings<Tally> spellings;
  private boolean overflowed;
  private boolean partNamed;

  /**
   * @param most labels with their own tally
   * @param decoder decodes a label as spelled in the file
   */
  LabelTable(int most, UnaryOperator<String> decoder) {
    this.most = most;
    this.decoder = decoder;
    spellings = new Spellings<>(2 * Math.max(16, most));
  }

  /** The tally of a known spelling; {@code null} for a new one. */
  Tally find(byte[] bytes, int start, int end) {
    return spellings.find(bytes, start, end);
  }

  /**
   * Counts successful samples by label, up to the first whose label has a new spelling.
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

  /**
   * The tally for a new spelling of a label; the shared tally if there are too many labels.
   *
   * @param damage records labels that are not valid text
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
    partNamed |= PartName.isOne(label);
    if (own && row.spelt && text.isPresent()) {
      spellings.put(Arrays.copyOfRange(bytes, start, end), tally);
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

  /** Adds the tallies of a later part of the same file. */
  void append(LabelTable later) {
    later.tallies.forEach(
        (label, tally) -> {
          boolean own = tallies.containsKey(label) || tallies.size() < most;
          overflowed |= !own;
          tallies.computeIfAbsent(own ? label : OTHERS, Tally::new).add(tally);
        });
    overflowed |= later.overflowed;
    partNamed |= later.partNamed;
  }

  /** Whether some label is spelled like that of a sub-result. */
  boolean partNamed() {
    return partNamed;
  }

  /** Whether some labels had to share one tally. */
  boolean overflowed() {
    return overflowed;
  }

  /** In order of first appearance. */
  List<Tally> tallies() {
    return new ArrayList<>(tallies.values());
  }
}
