package io.slicewise.cli.options;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.host.xen.CommandWords;
import io.slicewise.host.xen.XenVersion;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * An assumed toolstack, as opposed to one read from a host: {@code xl}, {@code xm}, {@code xl-4.5}.
 */
public record StatedToolstack(String name, XenVersion version) {
  private static final Pattern TEXT = Pattern.compile("(xl|xm)(?:-([0-9]{1,3})\\.([0-9]{1,3}))?");
  private static final XenVersion XL = XenVersion.of(4, 17);
  private static final XenVersion XM = XenVersion.of(3, 3);

  public static StatedToolstack of(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("is not xl or xm, optionally with a version as in xl-4.5");
    }
    XenVersion version =
        matcher.group(2) == null
            ? matcher.group(1).equals("xl") ? XL : XM
            : XenVersion.of(Integer.parseInt(matcher.group(2)), Integer.parseInt(matcher.group(3)));
    return new StatedToolstack(matcher.group(1), version);
  }

  /** Returns the toolstack of the experiment's host or lab; xl of Xen 4.17 by default. */
  public static StatedToolstack of(Experiment experiment) {
    return experiment
        .lab()
        .flatMap(lab -> Optional.ofNullable(lab.get("version")))
        .map(String::valueOf)
        .filter(text -> TEXT.matcher(text).matches())
        .or(() -> experiment.host().flatMap(HostSpec::toolstack))
        .map(StatedToolstack::of)
        .orElseGet(() -> of("xl"));
  }

  public CommandWords words(Experiment experiment) {
    return CommandWords.of(name, version, experiment.host().map(HostSpec::sudo).orElse(false));
  }

  @Override
  public String toString() {
    return name + " of Xen " + version;
  }

  /** Converts an option's value. */
  public static final class Converter implements ITypeConverter<StatedToolstack> {
    @Override
    public StatedToolstack convert(String text) {
      try {
        return of(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("'" + text + "' " + e.getMessage());
      }
    }
  }
}
