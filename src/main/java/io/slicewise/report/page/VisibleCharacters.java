package io.slicewise.report.page;

import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import io.slicewise.base.units.Visible;

/**
 * Writes control characters of labels into the page's data so that its scripts show them as
 * escapes, such as {@code \\u202e}, instead of obeying them.
 */
final class VisibleCharacters extends CharacterEscapes {
  private static final long serialVersionUID = 1L;

  @Override
  public int[] getEscapeCodesForAscii() {
    int[] codes = standardAsciiEscapesForJSON();
    for (char c = 0; c < codes.length; c++) {
      if (Visible.steers(c) && c != '\n' && c != '\t') {
        codes[c] = ESCAPE_CUSTOM;
      }
    }
    return codes;
  }

  /** Returns the escape of an escape, which JSON turns into its visible text. */
  @Override
  public SerializableString getEscapeSequence(int c) {
    return Visible.steers((char) c) ? new SerializedString("\\" + Visible.escape((char) c)) : null;
  }
}
