package io.slicewise.target;

import io.slicewise.units.ExitCode;
import io.slicewise.units.SlicewiseException;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * The web application of the 2010 study as a server: a dynamic page of about 5 KB behind a session,
 * made from a sign-in query, one logged row, one text from the database and two files.
 *
 * <p>If its schema is missing at the start it is made, and dropped again at the end; one that is
 * there already is used as it is and left in place.
 */
public final class WebApplication implements AutoCloseable {
  private static final int SERVER_THREADS = 16;
  private static final int BACKLOG = 1024;
  private static final long IDLE_MILLIS = TimeUnit.MINUTES.toMillis(5);
  private static final long WORKERS_END_SECONDS = 5;

  private final WebAppSchema schema;
  private final boolean schemaIsOurs;
  private final PageStore store;
  private final ExecutorService workers;
  private final Server server;
  private final URI uri;

  private WebApplication(WebApplicationOptions options) {
    PageFiles files = PageFiles.in(options.files());
    schema = new WebAppSchema(options.database());
    schemaIsOurs = !schema.exists();
    if (schemaIsOurs) {
      schema.create();
    }
    store = new PageStore(options.database(), options.connections());
    workers = workers(options.connections());
    server = new Server(new QueuedThreadPool(SERVER_THREADS, 4));
    ServerConnector connector = connector(server, options);
    server.addConnector(connector);
    server.setHandler(new PageHandler(new PageView(store, files, options.pace(), workers)));
    try {
      server.start();
    } catch (Exception fault) {
      close();
      throw new SlicewiseException(
          ExitCode.PREFLIGHT,
          "port " + options.port() + " of " + options.host() + " cannot be listened on: " + fault,
          "choose another port, or end the program that has it",
          fault);
    }
    String host = options.host().equals("0.0.0.0") ? "127.0.0.1" : options.host();
    uri = URI.create("http://" + host + ":" + connector.getLocalPort() + "/");
  }

  /**
   * Starts the application; it answers when this returns.
   *
   * @throws SlicewiseException when the files, the database or the port cannot be had
   */
  public static WebApplication start(WebApplicationOptions options) {
    return new WebApplication(options);
  }

  /** Where the page is. */
  public URI uri() {
    return uri;
  }

  /** Ends the server, its workers and its connections, and drops the schema it made itself. */
  @Override
  public void close() {
    try {
      server.stop();
      workers.shutdown();
      if (!workers.awaitTermination(WORKERS_END_SECONDS, TimeUnit.SECONDS)) {
        workers.shutdownNow();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (Exception fault) {
      throw new SlicewiseException(
          ExitCode.INTERNAL, "the web application did not stop: " + fault, "", fault);
    } finally {
      store.close();
      if (schemaIsOurs) {
        schema.drop();
      }
    }
  }

  private static ServerConnector connector(Server server, WebApplicationOptions options) {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    connector.setHost(options.host());
    connector.setPort(options.port());
    connector.setAcceptQueueSize(BACKLOG);
    connector.setIdleTimeout(IDLE_MILLIS);
    return connector;
  }

  private static ExecutorService workers(int threads) {
    AtomicInteger number = new AtomicInteger();
    return Executors.newFixedThreadPool(
        threads,
        work -> {
          Thread thread = new Thread(work, "web-app-" + number.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        });
  }
}
