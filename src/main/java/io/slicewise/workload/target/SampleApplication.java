package io.slicewise.workload.target;

import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import org.eclipse.jetty.server.Handler;

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
}
