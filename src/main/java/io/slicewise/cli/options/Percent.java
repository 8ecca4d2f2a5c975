package io.slicewise.cli.options;

import io.slicewise.base.units.PercentText;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts a percentage to a share. */
public final class Percent implements ITypeConverter<Double> {
  @Override
  public Double convert(String text) {
    try {
      return PercentText.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException("'%s' %s".formatted(text, e.getMessage()));
    }
  }
}
