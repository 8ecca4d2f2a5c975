package io.slicewise.lab.guest;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts GreenMail without error output for disconnected clients: their thread in GreenMail ends
 * with an exception, which would otherwise be printed on standard error.
 */
public final class QuietMail {
  private static final Logger LOG = LoggerFactory.getLogger(QuietMail.class);
  private static final long STARTUP_MILLIS = 30_000;
  private static final String LOOPBACK = "127.0.0.1";

  private QuietMail() {}

  /** Threads inherit the group of their parent, including its exception handler. */
  private static final class Patient extends ThreadGroup {
    Patient() {
      super("lab-mail");
    }

    @Override
    public void uncaughtException(Thread thread, Throwable fault) {
      LOG.debug("a mail client disconnected", fault);
    }
  }

  /**
   * Starts servers on free loopback ports, which accept connections when this returns.
   *
   * @param protocols of {@code smtp}, {@code smtps}, {@code imap}, {@code imaps}
   * @param prepare prepares the server before it starts, for example adds users
   */
  public static GreenMail start(Consumer<GreenMail> prepare, String... protocols) {
    CompletableFuture<GreenMail> started = new CompletableFuture<>();
    Thread starter =
        new Thread(
            new Patient(),
            () -> {
              GreenMail server =
                  new GreenMail(
                      Stream.of(protocols).map(QuietMail::setup).toArray(ServerSetup[]::new));
              try {
                prepare.accept(server);
                server.start();
                started.complete(server);
              } catch (RuntimeException fault) {
                server.stop();
                started.completeExceptionally(fault);
              }
            });
    starter.setDaemon(true);
    starter.start();
    return started.join();
  }

  private static ServerSetup setup(String protocol) {
    ServerSetup setup = new ServerSetup(0, LOOPBACK, protocol);
    setup.setServerStartupTimeout(STARTUP_MILLIS);
    return setup;
  }
}
