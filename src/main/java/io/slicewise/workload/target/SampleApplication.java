package io.slicewise.workload.target;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.TearDown;
import io.slicewise.workload.target.Database.DatabaseFault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A running application: its schema, its connections to the database, and its HTTP server. */
public final class SampleApplication implements AutoCloseable {
  /** Closes the parts, last one first. */
  private final Deque<Runnable> endings = new ArrayDeque<>();

  private final HttpService service;

  /** Creates the request handler. */
  interface Answering {
    Handler with(ConnectionPool pool, PageFiles files, Executor workers);
  }

  /**
   * Starts the application, which accepts requests when this returns.
   *
   * @param name for messages
   * @throws io.slicewise.base.units.SlicewiseException if the files, the database or the port are
   *     not available; nothing is left running then
   */
  SampleApplication(String name, TargetSchema schema, TargetOptions options, Answering answering) {
    PageFiles files = PageFiles.in(options.files());
    try {
      SchemaKeeper keeper = new SchemaKeeper(schema);
      endings.push(keeper::close);
      ConnectionPool pool = new ConnectionPool(name, options.database(), options.connections());
      endings.push(pool::close);
      service = HttpService.start(name, options, workers -> answering.with(pool, files, workers));
      endings.push(service::close);
    } catch (RuntimeException fault) {
      try {
        close();
      } catch (RuntimeException later) {
        fault.addSuppressed(later);
      }
      throw fault;
    }
  }

  /** The URL of its first page. */
  public URI uri() {
    return service.uri();
  }

  /** Ends the server, its workers and its connections, and drops the schema that it created. */
  @Override
  public void close() {
    TearDown.inTurn(endings);
  }

  /**
   * Creates a missing schema when an application starts and drops it when the application ends; an
   * existing one is used as it is and kept.
   */
  static final class SchemaKeeper implements AutoCloseable {
    private final TargetSchema schema;
    private final boolean ours;

    SchemaKeeper(TargetSchema schema) {
      this.schema = schema;
      ours = !schema.exists();
      if (ours) {
        schema.create();
      }
    }

    @Override
    public void close() {
      if (ours) {
        schema.drop();
      }
    }
  }

  /**
   * An HTTP server and the workers for blocking calls. A few threads serve any number of
   * connections: requests wait for a worker or for their pace in a queue.
   */
  static final class HttpService implements AutoCloseable {
    private static final int SERVER_THREADS = 16;

    /**
     * All users of a load connect at once if it starts without a ramp; the kernel may allow fewer.
     */
    private static final int BACKLOG = 4096;

    private static final long IDLE_MILLIS = TimeUnit.MINUTES.toMillis(5);
    private static final long WORKERS_END_SECONDS = 5;

    private final String name;
    private final ExecutorService workers;
    private final Server server;
    private final ServerConnector connector;
    private final String host;

    private HttpService(
        String name, TargetOptions options, Function<ExecutorService, Handler> handler) {
      this.name = name;
      workers = workers(name, options.connections());
      server = new Server(new QueuedThreadPool(SERVER_THREADS, 4));
      connector = connector(server, options);
      host = options.host().equals("0.0.0.0") ? "127.0.0.1" : options.host();
      server.addConnector(connector);
      server.setHandler(handler.apply(workers));
      options.accessLog().map(AccessLogFile::new).ifPresent(server::setRequestLog);
    }

    /**
     * Starts the server, which accepts requests when this returns.
     *
     * @param handler of the requests; receives the workers, one for each database connection
     * @throws SlicewiseException if the port is not available
     */
    static HttpService start(
        String name, TargetOptions options, Function<ExecutorService, Handler> handler) {
      HttpService service = new HttpService(name, options, handler);
      try {
        service.server.start();
        return service;
      } catch (Exception fault) {
        service.close();
        throw new SlicewiseException(
            ErrorKind.NOT_READY,
            "cannot listen on port %d of %s: %s"
                .formatted(options.port(), options.host(), FileFault.reason(fault)),
            "use another port, or end the program that uses it",
            fault);
      }
    }

    URI uri() {
      return URI.create("http://" + host + ":" + connector.getLocalPort() + "/");
    }

    /** Stops the server, then its workers; running requests finish first. */
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
            ErrorKind.INTERNAL,
            "the " + name + " did not stop: " + FileFault.reason(fault),
            "",
            fault);
      }
    }

    private static ServerConnector connector(Server server, TargetOptions options) {
      HttpConfiguration http = new HttpConfiguration();
      http.setSendServerVersion(false);
      ServerConnector connector =
          new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
      connector.setHost(options.host());
      connector.setPort(options.port());
      connector.setAcceptQueueSize(BACKLOG);
      connector.setIdleTimeout(IDLE_MILLIS);
      return connector;
    }

    private static ExecutorService workers(String name, int threads) {
      AtomicInteger number = new AtomicInteger();
      return Executors.newFixedThreadPool(
          threads,
          work -> {
            Thread thread = new Thread(work, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
          });
    }
  }

  /**
   * Connections to a database, each borrowed for one statement. Throws {@link
   * io.slicewise.base.units.SlicewiseException} with one sentence.
   */
  static final class ConnectionPool implements AutoCloseable {
    private final Database database;
    private final HikariDataSource connections;

    /** Work on a statement. */
    @FunctionalInterface
    interface Use<T> {
      T with(PreparedStatement statement) throws SQLException;
    }

    ConnectionPool(String name, Database database, int size) {
      this.database = database;
      HikariConfig config = new HikariConfig();
      config.setJdbcUrl(database.url());
      config.setUsername(database.user());
      config.setPassword(database.password().reveal());
      config.setMaximumPoolSize(size);
      config.setPoolName(name);
      connections = new HikariDataSource(config);
    }

    /**
     * Runs one statement.
     *
     * @param doing the purpose, for messages
     */
    <T> T run(String doing, String sql, Use<T> use) {
      try (Connection connection = connections.getConnection();
          PreparedStatement statement = connection.prepareStatement(sql)) {
        return use.with(statement);
      } catch (SQLException fault) {
        throw DatabaseFault.of(database, doing, fault);
      }
    }

    @Override
    public void close() {
      connections.close();
    }
  }

  /**
   * An access log in nginx's words: {@code $msec $request_time $upstream_response_time $status
   * $request_method $host $body_bytes_sent "$request_uri"}. Each line is appended when its request
   * ends, and the file may be renamed at any time. It is there before the first request.
   */
  private record AccessLogFile(Path file) implements RequestLog {
    /** The sizes of paths that are logged in full. */
    private static final int LONGEST = 2_000;

    AccessLogFile {
      append(file, "");
    }

    @Override
    public void log(Request request, Response response) {
      long nanos = System.nanoTime() - request.getHeadersNanoTime();
      String line =
          String.format(
              Locale.ROOT,
              "%.3f %.3f - %d %s %s %d \"%s\"%n",
              System.currentTimeMillis() / 1e3,
              nanos / (double) TimeUnit.SECONDS.toNanos(1),
              response.getStatus(),
              request.getMethod(),
              Request.getServerName(request),
              Response.getContentBytesWritten(response),
              quoted(request.getHttpURI().getPathQuery()));
      synchronized (this) {
        append(file, line);
      }
    }

    private static String quoted(String path) {
      StringBuilder text = new StringBuilder();
      path.chars()
          .limit(LONGEST)
          .forEach(
              letter ->
                  text.append(
                      letter < ' ' || letter > '~' || letter == '"' || letter == '\\'
                          ? String.format(Locale.ROOT, "\\x%02X", letter)
                          : Character.toString(letter)));
      return text.toString();
    }

    private static void append(Path file, String line) {
      try {
        Files.writeString(
            file,
            line,
            StandardCharsets.US_ASCII,
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
      } catch (IOException fault) {
        throw new UncheckedIOException("the access log cannot be written", fault);
      }
    }
  }

  /** An answer to send: a page, a document, or a sentence that explains why there is none. */
  record Reply(int status, String type, ByteBuffer body) {
    private static final String HTML = "text/html;charset=utf-8";

    static Reply page(int status, byte[] html) {
      return new Reply(status, HTML, ByteBuffer.wrap(html));
    }

    static Reply document(byte[] content) {
      return new Reply(200, "application/octet-stream", ByteBuffer.wrap(content));
    }

    static Reply of(int status, String sentence) {
      return page(status, ("<p>" + escaped(sentence) + "</p>\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the reply for a failure to create the answer. */
    static Reply unavailable(Throwable fault) {
      Throwable cause =
          fault instanceof CompletionException && fault.getCause() != null
              ? fault.getCause()
              : fault;
      String why = cause instanceof SlicewiseException ? cause.getMessage() : cause.toString();
      return of(503, "The page cannot be created: " + why);
    }

    /** Escapes text for a page. */
    static String escaped(String text) {
      return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    void send(Response response, Callback callback) {
      response.setStatus(status);
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
      response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
      response.write(true, body, callback);
    }
  }

  /**
   * How a sample application is started.
   *
   * @param host the address to listen on: {@code 127.0.0.1} for this machine only, {@code 0.0.0.0}
   *     for all
   * @param port 0 for any free port
   * @param files contains {@code header.html} and {@code footer.html}
   * @param connections to the database, 1..1000, which is also the number of worker threads
   * @param accessLog where each request is logged; empty = nowhere
   */
  public record TargetOptions(
      String host,
      int port,
      Database database,
      Path files,
      int connections,
      Optional<Path> accessLog) {
    /**
     * Enough to keep one or two cores busy; more would only queue in the database. Waiting users
     * need no thread, so their number does not matter.
     */
    public static final int DEFAULT_CONNECTIONS = 8;

    public TargetOptions {
      if (port < 0 || port > 65535) {
        throw new IllegalArgumentException("port " + port + " is out of range 0..65535");
      }
      if (connections < 1 || connections > 1000) {
        throw new IllegalArgumentException(
            "connections " + connections + " is out of range 1..1000");
      }
    }

    /** Returns options without an access log. */
    public TargetOptions(String host, int port, Database database, Path files, int connections) {
      this(host, port, database, files, connections, Optional.empty());
    }

    /** Returns options for this machine only, on a free port. */
    public static TargetOptions local(Database database, Path files) {
      return new TargetOptions("127.0.0.1", 0, database, files, DEFAULT_CONNECTIONS);
    }

    public TargetOptions onPort(int other) {
      return new TargetOptions(host, other, database, files, connections, accessLog);
    }

    public TargetOptions loggingTo(Path file) {
      return new TargetOptions(host, port, database, files, connections, Optional.of(file));
    }
  }
}
