package io.slicewise.load.generator.child;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.jmeter.rmi.SSLRMIClientSocketFactory;
import org.apache.jmeter.util.JMeterUtils;

/**
 * The keys with which this process and JMeter's servers know each other. A server's address in its
 * registry contains the path of the keystore as the server has it, and JMeter opens that path here
 * too; and the other way round. So this process takes the servers' path, as a link to its keystore
 * where the path is relative.
 */
final class EngineKeys {
  private static final String PREFIX = "server.rmi.ssl.keystore.";
  private static final String FILE = PREFIX + "file";
  private static final String ENGINE = "JMeterEngine";
  private static final int PORT = 1099;
  private static final Pattern LOCATION = Pattern.compile("keyStoreLocation=([^,)]*)");

  private final Path keystore;
  private final SSLRMIClientSocketFactory sockets = new SSLRMIClientSocketFactory();

  EngineKeys() {
    keystore = Path.of(JMeterUtils.getPropDefault(FILE, "rmi_keystore.jks")).toAbsolutePath();
    String type = JMeterUtils.getPropDefault(PREFIX + "type", "JKS");
    String password = JMeterUtils.getPropDefault(PREFIX + "password", "changeit");
    sockets.setAlias(JMeterUtils.getPropDefault(PREFIX + "alias", "rmi"));
    sockets.setKeystore(keystore.toString(), type, password);
    sockets.setTruststore(keystore.toString(), type, password);
  }

  /**
   * Prepares JMeter's remote calls; must be called before any other of its classes makes one.
   *
   * @throws LoadedPlan.Fault if a server does not answer, or its keystore has no place here
   */
  void agreeWith(Iterable<String> servers) throws LoadedPlan.Fault {
    Set<String> places = new TreeSet<>();
    for (String server : servers) {
      places.add(place(server));
    }
    if (places.size() > 1) {
      throw new LoadedPlan.Fault(
          "JMeter's servers have their keystores in different places, and JMeter needs one: "
              + String.join(", ", places),
          null);
    }
    String place = places.iterator().next();
    Path here = Path.of(place);
    if (here.isAbsolute() && !Files.isReadable(here)) {
      throw new LoadedPlan.Fault(
          "JMeter's servers have their keystore in %s, and JMeter needs it at the same place here"
              .formatted(place),
          null);
    }
    if (!here.isAbsolute()) {
      link(here.toAbsolutePath());
    }
    JMeterUtils.setProperty(FILE, place);
  }

  private void link(Path here) throws LoadedPlan.Fault {
    try {
      Files.createDirectories(here.getParent());
      Files.deleteIfExists(here);
      Files.createSymbolicLink(here, keystore);
    } catch (IOException fault) {
      throw new LoadedPlan.Fault("no link to the keystore could be created: " + fault, fault);
    }
  }

  private String place(String server) throws LoadedPlan.Fault {
    String[] parts = server.split(":", 2);
    int port = parts.length < 2 ? PORT : Integer.parseInt(parts[1]);
    try {
      callBackFrom(parts[0], port);
      Remote engine = LocateRegistry.getRegistry(parts[0], port, sockets).lookup(ENGINE);
      Matcher location = LOCATION.matcher(engine.toString());
      if (!location.find()) {
        throw new LoadedPlan.Fault(
            "JMeter server %s works without TLS, so anyone who reaches it can run programs there;"
                    .formatted(server)
                + " start it without server.rmi.ssl.disable",
            null);
      }
      return location.group(1);
    } catch (IOException | NotBoundException fault) {
      throw new LoadedPlan.Fault(
          "JMeter server %s cannot be reached over TLS with the keystore %s: %s"
              .formatted(server, keystore, fault.getMessage()),
          fault);
    }
  }

  /** Servers call back to the address of this machine from which they are reached. */
  private static void callBackFrom(String host, int port) throws IOException {
    if (System.getProperty("java.rmi.server.hostname") == null) {
      try (DatagramSocket socket = new DatagramSocket()) {
        socket.connect(InetAddress.getByName(host), port);
        System.setProperty("java.rmi.server.hostname", socket.getLocalAddress().getHostAddress());
      }
    }
  }
}
