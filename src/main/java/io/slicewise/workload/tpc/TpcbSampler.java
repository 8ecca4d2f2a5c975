package io.slicewise.workload.tpc;

import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.workload.target.Database;
import java.sql.SQLException;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.jmeter.config.Arguments;
import org.apache.jmeter.protocol.java.sampler.JavaSamplerClient;
import org.apache.jmeter.protocol.java.sampler.JavaSamplerContext;
import org.apache.jmeter.samplers.SampleResult;

/**
 * The sampler of JMeter's Java Request for the workload {@code tpcb}: one client's connection, and
 * one transaction per sample, from its first statement to its commit. JMeter creates one for each
 * user.
 *
 * <p>JMeter's own JDBC requests would need six samples and a sum of them, which cost the generator
 * more than the transaction costs the server.
 */
public final class TpcbSampler implements JavaSamplerClient {
  private Optional<TpcbClient> client = Optional.empty();
  private Optional<String> refusal = Optional.empty();

  @Override
  public Arguments getDefaultParameters() {
    Arguments parameters = new Arguments();
    parameters.addArgument("database", "jdbc:postgresql://localhost/postgres");
    parameters.addArgument("user", "postgres");
    parameters.addArgument("password", "");
    parameters.addArgument("schema", TpcbSchema.NAME);
    parameters.addArgument("scale", "1");
    parameters.addArgument("connect-timeout", "10000");
    parameters.addArgument("query-timeout", "0");
    return parameters;
  }

  /** Signs in; JMeter does not measure this time. */
  @Override
  public void setupTest(JavaSamplerContext context) {
    connect(context);
  }

  private void connect(JavaSamplerContext context) {
    refusal = Optional.empty();
    try {
      Database database =
          new Database(
              context.getParameter("database"),
              context.getParameter("user", ""),
              Secret.of(context.getParameter("password", "")));
      TpcbClient.Settings settings =
          new TpcbClient.Settings(
              context.getParameter("schema"),
              context.getIntParameter("connect-timeout"),
              context.getIntParameter("query-timeout"));
      int scale = context.getIntParameter("scale");
      client = Optional.of(new TpcbClient(database, settings, scale, new SplittableRandom()));
    } catch (SQLException | SlicewiseException fault) {
      refusal = Optional.of(fault.getMessage());
    }
  }

  @Override
  public SampleResult runTest(JavaSamplerContext context) {
    SampleResult result = new SampleResult();
    result.setDataType(SampleResult.TEXT);
    if (client.isEmpty() && refusal.isEmpty()) {
      connect(context);
    }
    result.sampleStart();
    if (client.isEmpty()) {
      result.sampleEnd();
      failed(result, "08001", refusal.orElseThrow());
      refusal = Optional.empty();
      return result;
    }
    try {
      client.get().move();
      result.sampleEnd();
      result.setSuccessful(true);
      result.setResponseCodeOK();
      result.setResponseMessageOK();
    } catch (SQLException fault) {
      result.sampleEnd();
      failed(result, fault.getSQLState(), fault.getMessage());
      recover();
    }
    return result;
  }

  private static void failed(SampleResult result, String state, String why) {
    result.setSuccessful(false);
    result.setResponseCode(String.valueOf(state));
    result.setResponseMessage(why);
  }

  /** Reconnects after a lost connection, before the time of the next sample begins. */
  private void recover() {
    if (!client.orElseThrow().giveUp()) {
      close();
    }
  }

  private void close() {
    try {
      if (client.isPresent()) {
        client.get().close();
      }
    } catch (SQLException lost) {
      // Nothing is left to close.
    } finally {
      client = Optional.empty();
    }
  }

  @Override
  public void teardownTest(JavaSamplerContext context) {
    close();
  }
}
