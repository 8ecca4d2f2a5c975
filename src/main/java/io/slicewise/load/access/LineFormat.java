package io.slicewise.load.access;

import java.util.Optional;

/** The format of a log's lines. Nothing in a line is trusted; safe for use by several threads. */
public interface LineFormat {
  /** Returns the request of a line; empty if the line is not of this format or is damaged. */
  Optional<Request> read(String line);

  /** The smallest difference between two durations, in microseconds. */
  long resolutionMicros();
}
