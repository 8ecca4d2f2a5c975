package io.slicewise.load.generator.child.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import org.apache.http.HttpHost;
import org.apache.http.conn.ConnectTimeoutException;
import org.apache.http.conn.HttpHostConnectException;
import org.apache.http.impl.execchain.RequestAbortedException;
import org.apache.http.io.BufferInfo;
import org.apache.http.io.HttpTransportMetrics;
import org.apache.http.io.SessionInputBuffer;
import org.apache.http.util.CharArrayBuffer;

/**
 * A connection of one user. HttpClient's parsers read from it, so that broken answers have the same
 * results as with HttpClient; it fails with the same exceptions.
 */
final class Link implements SessionInputBuffer, BufferInfo {
  private static final int BUFFER = 1 << 13;
  private static final byte[] NOTHING = {};

  private final byte[] buffer = new byte[BUFFER];
  private int next;
  private int end;
  private long received;
  private volatile Socket socket = new Socket();
  private volatile boolean aborted;
  private InputStream in;
  private OutputStream out;
  private int timeout;

  /**
   * Connects to the first address that accepts.
   *
   * @param millis limit for each address; 0 = none
   */
  void connect(HttpHost host, int millis) throws IOException {
    InetAddress[] addresses = InetAddress.getAllByName(host.getHostName());
    for (int i = 0; i < addresses.length; i++) {
      boolean last = i == addresses.length - 1;
      try {
        connect(new InetSocketAddress(addresses[i], host.getPort()), millis);
        return;
      } catch (SocketTimeoutException late) {
        if (last) {
          throw new ConnectTimeoutException(late, host, addresses);
        }
      } catch (ConnectException refused) {
        if (last) {
          throw "Connection timed out".equals(refused.getMessage())
              ? new ConnectTimeoutException(refused, host, addresses)
              : new HttpHostConnectException(refused, host, addresses);
        }
      } catch (NoRouteToHostException unreachable) {
        if (last) {
          throw unreachable;
        }
      }
      socket = new Socket();
    }
  }

  private void connect(InetSocketAddress address, int millis) throws IOException {
    Socket attempt = socket;
    if (aborted) {
      throw new RequestAbortedException("Request aborted");
    }
    attempt.setTcpNoDelay(true);
    try {
      attempt.connect(address, millis);
    } catch (IOException failed) {
      attempt.close();
      throw failed;
    }
    in = attempt.getInputStream();
    out = attempt.getOutputStream();
  }

  /** Sets the limit in milliseconds for each wait for bytes; 0 = none. */
  void limitWaits(int millis) throws SocketException {
    if (timeout != millis) {
      socket.setSoTimeout(millis);
      timeout = millis;
    }
  }

  /** Sends a request in one piece, and counts what is received from now on. */
  void send(byte[] request) throws IOException {
    out.write(request);
    received = 0;
  }

  /** Returns the bytes received since the last request was sent. */
  long received() {
    return received;
  }

  /** Whether the server has closed the connection since its last answer. */
  boolean isStale() {
    try {
      limitWaits(1);
      return fill() < 0;
    } catch (SocketTimeoutException silent) {
      return false;
    } catch (IOException broken) {
      return true;
    }
  }

  /** Whether the bytes to be read next are these; false if not all of them have arrived. */
  boolean startsWith(byte[] expected) {
    return end - next >= expected.length
        && Arrays.equals(buffer, next, next + expected.length, expected, 0, expected.length);
  }

  /** Waits for bytes if there are none; false at the end of the connection. */
  boolean awaitBytes() throws IOException {
    return next < end || fill() > 0;
  }

  /** Returns the bytes to be read next up to an empty line; none if it has not arrived. */
  byte[] upToEmptyLine() {
    for (int i = next; i + 3 < end; i++) {
      if (buffer[i] == '\r'
          && buffer[i + 1] == '\n'
          && buffer[i + 2] == '\r'
          && buffer[i + 3] == '\n') {
        return Arrays.copyOfRange(buffer, next, i + 4);
      }
    }
    return NOTHING;
  }

  void skip(int bytes) {
    next += bytes;
  }

  private int fill() throws IOException {
    if (next > 0) {
      System.arraycopy(buffer, next, buffer, 0, end - next);
      end -= next;
      next = 0;
    }
    int more = in.read(buffer, end, buffer.length - end);
    if (more > 0) {
      end += more;
      received += more;
    }
    return more;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (next == end) {
      if (length > buffer.length) {
        int more = in.read(target, offset, length);
        received += Math.max(0, more);
        return more;
      }
      if (fill() < 0) {
        return -1;
      }
    }
    int count = Math.min(length, end - next);
    System.arraycopy(buffer, next, target, offset, count);
    next += count;
    return count;
  }

  @Override
  public int read(byte[] target) throws IOException {
    return read(target, 0, target.length);
  }

  @Override
  public int read() throws IOException {
    return awaitBytes() ? buffer[next++] & 0xff : -1;
  }

  /** Reads a line that ends with a line feed, or with the connection. */
  @Override
  public int readLine(CharArrayBuffer line) throws IOException {
    int start = line.length();
    boolean any = false;
    while (awaitBytes()) {
      any = true;
      int feed = next;
      while (feed < end && buffer[feed] != '\n') {
        feed++;
      }
      line.append(buffer, next, feed - next);
      next = Math.min(feed + 1, end);
      if (feed < end) {
        break;
      }
    }
    if (!any) {
      return -1;
    }
    if (line.length() > start && line.charAt(line.length() - 1) == '\r') {
      line.setLength(line.length() - 1);
    }
    return line.length() - start;
  }

  @Override
  public String readLine() throws IOException {
    CharArrayBuffer line = new CharArrayBuffer(64);
    return readLine(line) < 0 ? null : line.toString();
  }

  @Override
  @SuppressWarnings("deprecation") // the interface has it
  public boolean isDataAvailable(int millis) {
    return next < end;
  }

  @Override
  public HttpTransportMetrics getMetrics() {
    throw new UnsupportedOperationException();
  }

  @Override
  public int length() {
    return end - next;
  }

  @Override
  public int capacity() {
    return buffer.length;
  }

  @Override
  public int available() {
    return capacity() - length();
  }

  boolean isOpen() {
    return in != null && !aborted && !socket.isClosed();
  }

  void close() {
    try {
      socket.close();
    } catch (IOException alreadyGone) {
      // Nothing is left to close.
    }
  }

  /** Resets the connection, also for a thread that waits for it. */
  void abort() {
    aborted = true;
    try {
      socket.setSoLinger(true, 0);
    } catch (SocketException notConnected) {
      // Nothing is left to reset.
    }
    close();
  }
}
