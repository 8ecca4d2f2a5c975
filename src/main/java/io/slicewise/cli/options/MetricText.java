package io.slicewise.cli.options;

import io.slicewise.evidence.analysis.Metric;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A metric by its name. */
public final class MetricText implements ITypeConverter<Metric> {
  @Override
  public Metric convert(String text) {
    try {
      return Metric.of(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException("'" + text + "' " + e.getMessage());
    }
  }
}
