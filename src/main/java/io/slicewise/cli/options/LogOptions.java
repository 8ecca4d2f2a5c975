package io.slicewise.cli.options;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.host.Domain;
import io.slicewise.host.HypervisorVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Facts about the host that a monitor's log does not contain. */
public final class LogOptions {
  private static final Pattern DOMAIN = Pattern.compile("(\\d{1,5})=([^=]+):([1-9]\\d{0,2})");
  private static final Pattern VERSION = Pattern.compile("(\\d{1,2})\\.(\\d{1,2})(.*)");

  @Option(
      names = "--domain",
      paramLabel = "ID=NAME:VCPUS",
      description =
          "A domain as ID=NAME:VCPUS, as in 1=Apache_Server:2; may be repeated. Shares are relative"
              + " to the domain's vCPUs.")
  private List<String> domains = new ArrayList<>();

  @Option(
      names = "--xen",
      paramLabel = "VERSION",
      defaultValue = "3.4",
      description =
          "Xen version of the logs; xenmon's columns depend on it, unless the data show otherwise"
              + " (default: ${DEFAULT-VALUE}).")
  private String xen;

  @Option(
      names = "--pcpus",
      paramLabel = "N",
      defaultValue = "0",
      description = "Number of pCPUs of that host, if known.")
  private int pcpus;

  public List<Domain> domains() {
    List<Domain> all = new ArrayList<>();
    for (String text : domains) {
      Matcher parts = DOMAIN.matcher(text);
      if (!parts.matches()) {
        throw SlicewiseException.input(
            "--domain " + text + " is not ID=NAME:VCPUS", "As in 1=Apache_Server:2.");
      }
      int id = Integer.parseInt(parts.group(1));
      int vcpus = Integer.parseInt(parts.group(3));
      all.add(new Domain(parts.group(2), id, vcpus, 0, "Pool-0"));
    }
    return all;
  }

  public HypervisorVersion version() {
    Matcher parts = VERSION.matcher(xen);
    if (!parts.matches()) {
      throw SlicewiseException.input("--xen " + xen + " is not a version", "As in 3.4 or 4.17.3.");
    }
    return new HypervisorVersion(
        Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)), parts.group(3));
  }

  public int pcpus() {
    return pcpus;
  }
}
