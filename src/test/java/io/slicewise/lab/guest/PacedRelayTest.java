package io.slicewise.lab.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.lab.disk.SharedDisk;
import io.slicewise.lab.disk.SharedDisk.DiskSpec;
import io.slicewise.lab.guest.GuestHost.GuestCosts;
import io.slicewise.lab.guest.GuestHost.Work;
import io.slicewise.lab.guest.PacedRelay.Toll;
import io.slicewise.lab.guest.PacedRelay.Toll.Exchange;
import io.slicewise.lab.host.Driver;
import io.slicewise.lab.sim.Machine;
import io.slicewise.lab.sim.Machine.MachineSpec;
import io.slicewise.lab.sim.SchedulerOptions;
import io.slicewise.profile.Credit;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Protects that a real server behind the relay is as fast as its simulated guest, that each
 * exchange is paid for once, and that not a byte is lost or changed on the way.
 */
class PacedRelayTest {
  private static final int GUEST = 1;
  private static final Duration COST = Duration.ofMillis(5);

  private final List<Exchange> exchanges = Collections.synchronizedList(new ArrayList<>());
  private Driver machine;
  private final GuestHost host = new GuestHost();
  private ServerSocket server;

  @BeforeEach
  void start() throws IOException {
    machine = new Driver(new Machine(new MachineSpec(1, SchedulerOptions.Credit.XEN_4_17, 1)));
    machine.post(owned -> owned.addDomain("mail", GUEST, 1, Machine.POOL_0), () -> {});
    SharedDisk disk =
        new SharedDisk(
            new DiskSpec(Duration.ZERO, 1, 1, 1, 0), new SplittableRandom(1), guest -> 0);
    host.booted(
        new GuestCpu(machine, disk, domid -> false),
        GuestCosts.BARE,
        Map.of("mail", GUEST),
        guest -> OptionalInt.of(0));
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    machine.close();
  }

  /** Greets, then answers each line with itself as many times as its first letter says. */
  private void echo() {
    Thread thread =
        new Thread(
            () -> {
              try (Socket socket = server.accept();
                  BufferedReader lines = reader(socket)) {
                say(socket, "hello\n");
                String line;
                while ((line = lines.readLine()) != null) {
                  say(socket, (line + "\n").repeat(1 + line.charAt(0) - 'a'));
                }
              } catch (IOException closed) {
                // The client has left.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private static BufferedReader reader(Socket socket) throws IOException {
    return new BufferedReader(
        new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
  }

  private static void say(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private PacedRelay relay(Function<Exchange, Duration> cost) {
    Toll toll =
        Toll.of(
            host,
            exchange -> {
              exchanges.add(exchange);
              return List.of(new Work("mail", cost.apply(exchange).toNanos()));
            });
    return PacedRelay.start((InetSocketAddress) server.getLocalSocketAddress(), 0, toll);
  }

  private static Socket connect(PacedRelay relay) throws IOException {
    Socket socket = new Socket(relay.address().getAddress(), relay.address().getPort());
    socket.setSoTimeout(20_000);
    return socket;
  }

  private Duration spent() {
    return Duration.ofNanos(machine.ask(owned -> owned.times(GUEST, 0).runningNanos()));
  }

  @Test
  void chargesEachExchangeOnceAndTheGreetingToo() throws Exception {
    echo();
    try (PacedRelay relay = relay(exchange -> COST);
        Socket client = connect(relay);
        BufferedReader lines = reader(client)) {
      assertThat(lines.readLine()).isEqualTo("hello");
      for (int i = 0; i < 3; i++) {
        say(client, "a line\n");
        assertThat(lines.readLine()).isEqualTo("a line");
      }
      assertThat(exchanges).extracting(Exchange::requestBytes).containsExactly(0L, 7L, 7L, 7L);
      assertThat(exchanges).extracting(Exchange::answerBytes).containsExactly(6L, 7L, 7L, 7L);
      assertThat(exchanges).allMatch(exchange -> !exchange.service().isNegative());
      assertThat(spent()).isEqualTo(COST.multipliedBy(4));
    }
  }

  @Test
  void aCappedGuestAnswersLater() throws Exception {
    machine.post(owned -> owned.set(GUEST, Credit.of(256, 10)), () -> {});
    echo();
    try (PacedRelay relay = relay(exchange -> Duration.ofMillis(20));
        Socket client = connect(relay);
        BufferedReader lines = reader(client)) {
      long began = System.nanoTime();
      lines.readLine();
      for (int i = 0; i < 4; i++) {
        say(client, "a\n");
        lines.readLine();
      }
      // 100 ms of CPU at a tenth of a pCPU; the first 30 ms may be had at once.
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(400));
      assertThat(spent()).isEqualTo(Duration.ofMillis(100));
    }
  }

  @Test
  void passesLongAnswersOnWholeForTheTollOfOne() throws Exception {
    String line = "z" + "0123456789".repeat(5_000);
    echo();
    try (PacedRelay relay = relay(exchange -> COST);
        Socket client = connect(relay);
        BufferedReader lines = reader(client)) {
      lines.readLine();
      say(client, line + "\n");
      for (int i = 0; i < 26; i++) {
        assertThat(lines.readLine()).isEqualTo(line);
      }
      assertThat(exchanges).hasSize(2);
      assertThat(exchanges.get(1).requestBytes()).isEqualTo(line.length() + 1L);
    }
  }

  @Test
  void breaksTheConnectionWhenTheGuestIsGone() throws Exception {
    echo();
    try (PacedRelay relay = relay(exchange -> COST);
        Socket client = connect(relay);
        BufferedReader lines = reader(client)) {
      lines.readLine();
      machine.close();
      say(client, "a\n");
      assertThat(endOf(lines)).isTrue();
    }
  }

  @Test
  void breaksTheConnectionOfAServerThatIsNotThere() throws Exception {
    server.close();
    try (PacedRelay relay = relay(exchange -> COST);
        Socket client = connect(relay);
        BufferedReader lines = reader(client)) {
      assertThat(endOf(lines)).isTrue();
    }
  }

  @Test
  void listensNoMoreOnceItIsClosed() throws Exception {
    PacedRelay relay = relay(exchange -> COST);
    InetSocketAddress address = relay.address();
    relay.close();
    relay.close();
    assertThatThrownBy(
            () -> {
              try (Socket late = new Socket()) {
                late.connect(address, (int) TimeUnit.SECONDS.toMillis(5));
              }
            })
        .isInstanceOf(IOException.class);
  }

  private static boolean endOf(BufferedReader lines) throws IOException {
    try {
      return lines.readLine() == null;
    } catch (SocketException reset) {
      return true;
    }
  }
}
