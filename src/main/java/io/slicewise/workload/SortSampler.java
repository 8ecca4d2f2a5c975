package io.slicewise.workload;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.ssh.Connection;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.ssh.Shells;
import io.slicewise.ssh.SshLogin;
import io.slicewise.workload.target.BubbleSort;
import io.slicewise.workload.target.BubbleSort.SortReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.jmeter.config.Arguments;
import org.apache.jmeter.protocol.java.sampler.JavaSamplerClient;
import org.apache.jmeter.protocol.java.sampler.JavaSamplerContext;
import org.apache.jmeter.samplers.SampleResult;
import org.apache.jmeter.threads.JMeterContextService;
import org.apache.jmeter.threads.JMeterVariables;

/**
 * The sampler of JMeter's Java Request for the workload {@code cpu}: one user's connection to a
 * guest, with one sort per sample. JMeter creates one for each user.
 *
 * <p>A sample lasts from sending the command to its end. The guest's own CPU times are in the
 * variables {@value #USER} and {@value #SYSTEM}, which are columns of the results if JMeter's
 * property {@code sample_variables} names them.
 */
public final class SortSampler implements JavaSamplerClient {
  static final String USER = "user_ms";
  static final String SYSTEM = "system_ms";

  /** Every sort uses the same list, so that each costs the same. */
  private static final int SEED = 1;

  private Optional<SortingGuest> guest = Optional.empty();
  private Optional<RuntimeException> refusal = Optional.empty();
  private List<Integer> sizes = List.of();
  private int taken;

  @Override
  public Arguments getDefaultParameters() {
    Arguments parameters = new Arguments();
    parameters.addArgument("guest", "localhost");
    List.of("user", "port", "identity", "known-hosts")
        .forEach(name -> parameters.addArgument(name, ""));
    parameters.addArgument("sizes", "2000");
    parameters.addArgument("timeout", "600");
    return parameters;
  }

  /** Signs in; JMeter does not measure this time. */
  @Override
  public void setupTest(JavaSamplerContext context) {
    sizes =
        Arrays.stream(context.getParameter("sizes").split(",", -1))
            .map(String::strip)
            .map(Integer::valueOf)
            .toList();
    connect(context);
  }

  private static Optional<String> given(JavaSamplerContext context, String name) {
    return Optional.of(context.getParameter(name, "")).filter(text -> !text.isBlank());
  }

  private void connect(JavaSamplerContext context) {
    try {
      SshLogin login =
          new SshLogin(
              given(context, "user"),
              given(context, "port")
                  .map(port -> OptionalInt.of(Integer.parseInt(port)))
                  .orElse(OptionalInt.empty()),
              given(context, "identity").map(Path::of),
              given(context, "known-hosts").map(Path::of));
      Connection to = Connection.to(context.getParameter("guest"), login);
      guest = Optional.of(new SortingGuest(Shells.open(to)));
      refusal = Optional.empty();
    } catch (RemoteShellException fault) {
      refusal = Optional.of(fault);
    }
  }

  @Override
  public SampleResult runTest(JavaSamplerContext context) {
    if (guest.isEmpty() && taken > 0) {
      connect(context);
    }
    int size = sizes.get(taken++ % sizes.size());
    BubbleSort sort = new BubbleSort(size, SEED);
    Duration limit = Duration.ofSeconds(Long.parseLong(context.getParameter("timeout")));
    SampleResult result = new SampleResult();
    result.setSampleLabel(label(size));
    result.setDataType(SampleResult.TEXT);
    result.sampleStart();
    try {
      SortReport report = guest.orElseThrow(refusal::orElseThrow).sort(sort, limit);
      result.sampleEnd();
      succeeded(result, report);
    } catch (SlicewiseException | RemoteShellException fault) {
      result.sampleEnd();
      failed(result, fault.getMessage());
    }
    return result;
  }

  static String label(int size) {
    return "sort " + size;
  }

  private static void succeeded(SampleResult result, SortReport report) {
    result.setSuccessful(true);
    result.setResponseCodeOK();
    result.setResponseMessageOK();
    result.setResponseData(report.answer(), "US-ASCII");
    setTimes(Long.toString(report.user().toMillis()), Long.toString(report.system().toMillis()));
  }

  private static void failed(SampleResult result, String why) {
    result.setSuccessful(false);
    result.setResponseCode("500");
    result.setResponseMessage(why);
    setTimes("", "");
  }

  private static void setTimes(String user, String system) {
    JMeterVariables variables = JMeterContextService.getContext().getVariables();
    variables.put(USER, user);
    variables.put(SYSTEM, system);
  }

  @Override
  public void teardownTest(JavaSamplerContext context) {
    guest.ifPresent(connected -> connected.shell().close());
  }
}
