package io.slicewise.base.units;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The name of a constant in files, options, tables and JSON: {@code always-valid}. */
public final class EnumName {
  private EnumName() {}

  /** Returns the constant's name in lower case, with hyphens. */
  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the constant with that name; empty if there is none. */
  public static <E extends Enum<E>> Optional<E> named(Class<E> type, String name) {
    return Stream.of(type.getEnumConstants())
        .filter(constant -> of(constant).equals(name))
        .findFirst();
  }
}
