package io.slicewise.cli.options;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads a share that may exceed 1, as a coefficient of variation may: {@code 4.5%}, {@code 0.045},
 * or {@code 4.5}; a number from 1 on without a sign is a percentage.
 */
public final class Share implements ITypeConverter<Double> {
  @Override
  public Double convert(String text) {
    String number = text.strip().replaceFirst("\\s*%$", "");
    if (!number.matches("\\d{1,3}(\\.\\d{1,9})?")) {
      throw new TypeConversionException("'" + text + "' is not a percentage such as 4.5%");
    }
    double value = Double.parseDouble(number);
    return text.strip().endsWith("%") || value >= 1 ? value / 100 : value;
  }
}
