package io.slicewise.base.units;

import java.util.Locale;

/** The name of a constant in files, options, tables and JSON: {@code always-valid}. */
public final class EnumName {
  private EnumName() {}

  /** Returns the constant's name in lower case, with hyphens. */
  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
