package io.slicewise.workload.target;

import java.net.URI;

/** A running sample application. */
public interface SampleApplication extends AutoCloseable {
  /** Where its first page is. */
  URI uri();

  /** Ends the server, its workers and its connections, and drops the schema it made itself. */
  @Override
  void close();
}
