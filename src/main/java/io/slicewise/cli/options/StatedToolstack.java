package io.slicewise.cli.options;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.host.HypervisorKind.SettingCommands;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.Hypervisors;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * An assumed toolstack, as opposed to one read from a host: {@code xl}, {@code xm}, {@code xl-4.5}.
 */
public record StatedToolstack(String name, HypervisorVersion version) {
  private static final Pattern TEXT = Pattern.compile("([a-z]+)(?:-([0-9]{1,3})\\.([0-9]{1,3}))?");

  public static StatedToolstack of(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!names(matcher)) {
      throw new IllegalArgumentException(
          "is not %s, or one with its version, as in xl-4.5"
              .formatted(String.join(", ", Hypervisors.toolstacks())));
    }
    String name = matcher.group(1);
    HypervisorVersion version =
        matcher.group(2) == null
            ? Hypervisors.kind(name).usualVersion(name)
            : HypervisorVersion.of(
                Integer.parseInt(matcher.group(2)), Integer.parseInt(matcher.group(3)));
    return new StatedToolstack(name, version);
  }

  private static boolean names(Matcher text) {
    return text.matches() && Hypervisors.toolstacks().contains(text.group(1));
  }

  /** Returns the toolstack of the experiment's host or lab; xl of Xen 4.17 by default. */
  public static StatedToolstack of(Experiment experiment) {
    return experiment
        .lab()
        .flatMap(lab -> Optional.ofNullable(lab.get("version")))
        .map(String::valueOf)
        .filter(text -> names(TEXT.matcher(text)))
        .or(() -> experiment.testbed().statedToolstack())
        .map(StatedToolstack::of)
        .orElseGet(() -> of(Hypervisors.toolstacks().get(0)));
  }

  public SettingCommands words(Experiment experiment) {
    boolean sudo = experiment.host().map(HostSpec::sudo).orElse(false);
    return Hypervisors.commands(name, version, sudo);
  }

  @Override
  public String toString() {
    return "%s of %s %s".formatted(name, Hypervisors.kind(name).product(), version);
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
