package io.slicewise.base.units;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.util.Locale;

/** Formats values into a text that is the same in every locale. */
public final class Phrase {
  private Phrase() {}

  /** Returns the text, as {@link String#format}. The compiler checks the format. */
  @FormatMethod
  public static String of(@FormatString String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
