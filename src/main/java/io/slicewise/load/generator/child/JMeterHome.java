package io.slicewise.load.generator.child;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Properties;
import org.apache.jmeter.samplers.SampleEvent;
import org.apache.jmeter.save.SaveService;
import org.apache.jmeter.util.JMeterUtils;

/**
 * A JMeter home without an installation: the three property files that JMeter requires on disk are
 * copied from its configuration jar. Properties that plans need keep JMeter's defaults; those that
 * would end the process or slow the generator are set here, after the user's own properties.
 */
final class JMeterHome {
  private static final String[] FILES = {
    "jmeter.properties", "saveservice.properties", "upgrade.properties"
  };

  private JMeterHome() {}

  /** Creates the home and initializes JMeter's static state with it; once per process. */
  static void prepare(Path home, Properties properties) throws IOException {
    Path bin = Files.createDirectories(home.resolve("bin"));
    Files.createDirectories(home.resolve("lib").resolve("ext"));
    for (String name : FILES) {
      try (InputStream packed = JMeterUtils.class.getResourceAsStream("/bin/" + name)) {
        if (packed == null) {
          throw new IOException("JMeter's configuration jar does not contain bin/" + name);
        }
        Files.copy(packed, bin.resolve(name));
      }
    }
    System.setProperty("JMeter.NonGui", "true");
    JMeterUtils.setJMeterHome(home.toString());
    JMeterUtils.loadJMeterProperties(bin.resolve("jmeter.properties").toString());
    JMeterUtils.getJMeterProperties().putAll(properties);
    JMeterUtils.getJMeterProperties().putAll(ours());
    if (properties.containsKey(Generator.SERVERS)) {
      JMeterUtils.getJMeterProperties().putAll(ofServers());
    }
    JMeterUtils.setLocale(Locale.ENGLISH);
    SaveService.loadProperties();
    // JMeter requests columns for the plan's variables when a run begins.
    SampleEvent.initSampleVariables();
  }

  private static Properties ours() {
    Properties ours = new Properties();
    ours.setProperty("jmeterengine.stopfail.system.exit", "false");
    ours.setProperty("jmeterengine.force.system.exit", "false");
    ours.setProperty("summariser.name", "");
    return ours;
  }

  /** How JMeter's servers send samples: never in the clear, soon, and many at a time. */
  private static Properties ofServers() {
    Properties ours = new Properties();
    ours.setProperty("server.rmi.ssl.disable", "false");
    ours.setProperty("mode", "StrippedBatch");
    ours.setProperty("num_sample_threshold", "100");
    ours.setProperty("time_threshold", "1000");
    return ours;
  }
}
