package io.slicewise.load.access;

/**
 * One request of an access log. Times are by the clock of the machine that wrote the log.
 *
 * @param startMicros since 1970: when the request began
 * @param durationMicros from there to the end of the answer, as the server counts it
 * @param upstreamMicros of it, those of the servers behind; -1 if the line does not contain them
 * @param status 0 if none was sent
 * @param path as written in the line, with the query; cut after {@value #LONGEST_PATH} characters
 * @param bytes of the answer
 * @param aborted whether the client left before the answer was complete, as far as the server
 *     noticed
 */
public record Request(
    long startMicros,
    long durationMicros,
    long upstreamMicros,
    int status,
    String method,
    String host,
    String path,
    long bytes,
    boolean aborted) {
  static final int LONGEST_PATH = 2048;

  public long endMicros() {
    return startMicros + durationMicros;
  }
}
