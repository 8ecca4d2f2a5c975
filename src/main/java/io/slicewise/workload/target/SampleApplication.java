package io.slicewise.workload.target;

import java.net.URI;

/** A running sample application. */
public interface SampleApplication extends AutoCloseable {
  /** The URL of its first page. */
  URI uri();

  /** Ends the server, its workers and its connections, and drops the schema that it created. */
  @Override
  void close();
}
