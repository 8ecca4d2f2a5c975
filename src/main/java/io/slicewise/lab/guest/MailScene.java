package io.slicewise.lab.guest;

import com.icegreen.greenmail.util.GreenMail;
import io.slicewise.lab.guest.GuestHost.Work;
import io.slicewise.lab.guest.LabDatabase.PrivateFiles;
import io.slicewise.lab.guest.PacedRelay.Toll;
import io.slicewise.lab.guest.PacedRelay.Toll.Exchange;
import io.slicewise.lab.guest.Scene.Servers;
import io.slicewise.lab.guest.Scene.Stage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The first guest is a mail server: SMTP and IMAP without TLS, and {@value #MAILBOXES} mailboxes
 * with random passwords for each lab.
 *
 * <p>Each exchange of either protocol costs CPU time in the guest and in Domain-0, which carries
 * the packets: a fixed part, and a part for each KiB of request and answer.
 */
final class MailScene {
  static final int MAILBOXES = 50;

  static final Duration GUEST_EXCHANGE = Duration.ofNanos(700_000);
  static final Duration GUEST_KIBIBYTE = Duration.ofNanos(30_000);
  static final Duration DOM0_EXCHANGE = Duration.ofNanos(300_000);
  static final Duration DOM0_KIBIBYTE = Duration.ofNanos(20_000);

  private static final String LOOPBACK = "127.0.0.1";

  private MailScene() {}

  static Servers open(Stage stage) {
    Path accounts = stage.directory().resolve("mail-accounts.csv");
    GreenMail server = QuietMail.start(made -> writeAccounts(made, accounts), "smtp", "imap");
    List<PacedRelay> relays = new ArrayList<>();
    try {
      Toll toll = Toll.of(stage.host(), exchange -> works(stage, exchange));
      relays.add(relay(server.getSmtp().getPort(), stage.port(), toll));
      relays.add(relay(server.getImap().getPort(), 0, toll));
      return new Play(server, relays.get(0), relays.get(1), accounts);
    } catch (RuntimeException fault) {
      relays.forEach(PacedRelay::close);
      server.stop();
      throw fault;
    }
  }

  private static PacedRelay relay(int serverPort, int port, Toll toll) {
    return PacedRelay.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort), port, toll);
  }

  private static void writeAccounts(GreenMail server, Path file) {
    String lines =
        IntStream.rangeClosed(1, MAILBOXES)
            .mapToObj(
                number -> {
                  String address = "user" + number + "@mail.example";
                  String password = PrivateFiles.randomSecret().reveal();
                  server.setUser(address, address, password);
                  return address + "," + password + "," + address + "\n";
                })
            .collect(Collectors.joining());
    try {
      PrivateFiles.write(file, lines);
    } catch (IOException fault) {
      throw new UncheckedIOException("the lab's mail accounts cannot be written", fault);
    }
  }

  private static List<Work> works(Stage stage, Exchange exchange) {
    double kibibytes = (exchange.requestBytes() + exchange.answerBytes()) / 1024.0;
    double scale = stage.scale();
    return List.of(
        new Work(
            GuestHost.DOM0,
            stage.times().draw(mean(DOM0_EXCHANGE, DOM0_KIBIBYTE, kibibytes, scale))),
        new Work(
            stage.guest(0),
            stage.times().draw(mean(GUEST_EXCHANGE, GUEST_KIBIBYTE, kibibytes, scale))));
  }

  private static long mean(Duration exchange, Duration kibibyte, double kibibytes, double scale) {
    return Math.round(scale * (exchange.toNanos() + kibibytes * kibibyte.toNanos()));
  }

  private record Play(GreenMail server, PacedRelay smtp, PacedRelay imap, Path accounts)
      implements Servers {
    @Override
    public Map<String, Object> options() {
      return Map.of(
          "smtp",
          LOOPBACK + ":" + smtp.address().getPort(),
          "imap",
          LOOPBACK + ":" + imap.address().getPort(),
          "security",
          "none",
          "accounts",
          accounts.toString());
    }

    @Override
    public void close() {
      smtp.close();
      imap.close();
      server.stop();
    }
  }
}
