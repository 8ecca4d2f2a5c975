package io.slicewise.load.jtl;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.SequenceInputStream;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The encoding that an XML file declares. The scanners read UTF-8, others are converted to it. */
final class Encoding {
  private static final String DECLARED = "\\s*<\\?xml [^<>]*encoding=[\"']([^\"'<>]+)[\"']";
  private static final int BIG_ENDIAN_MARK = 0xfeff;
  private static final int LITTLE_ENDIAN_MARK = 0xfffe;

  private Encoding() {}

  /** Returns the encoding of a file that begins with these bytes, unless it is UTF-8 or ASCII. */
  static Optional<Charset> other(byte[] head) {
    int mark = head.length < 2 ? 0 : (head[0] & 0xff) << 8 | (head[1] & 0xff);
    if (mark == BIG_ENDIAN_MARK || mark == LITTLE_ENDIAN_MARK) {
      return Optional.of(StandardCharsets.UTF_16);
    }
    if (head.length == 0 || head[0] > '<') {
      return Optional.empty();
    }
    Matcher declared =
        Pattern.compile(DECLARED).matcher(new String(head, StandardCharsets.ISO_8859_1));
    return declared.lookingAt()
        ? Optional.of(named(declared.group(1)))
            .filter(charset -> !StandardCharsets.UTF_8.equals(charset))
            .filter(charset -> !StandardCharsets.US_ASCII.equals(charset))
        : Optional.empty();
  }

  private static Charset named(String name) {
    try {
      return Charset.forName(name);
    } catch (IllegalCharsetNameException | UnsupportedCharsetException unknown) {
      throw new SlicewiseException(
          ErrorKind.NO_VALID_DATA,
          "the XML declares the encoding '" + name + "', which is unknown",
          "Correct the declaration in the file's first line, or convert the file to UTF-8.",
          unknown);
    }
  }

  /**
   * Returns a file's text in UTF-8.
   *
   * @param head its first bytes, which were taken from {@code rest}
   */
  static InputStream inUtf8(byte[] head, InputStream rest) throws IOException {
    InputStream whole = new SequenceInputStream(new ByteArrayInputStream(head), rest);
    Optional<Charset> other = other(head);
    return other.isEmpty() ? whole : new Converted(new InputStreamReader(whole, other.get()));
  }

  /** The characters of a reader, as bytes. */
  private static final class Converted extends InputStream {
    private static final int STEP = 1 << 13;

    private final Reader reader;
    private final char[] letters = new char[STEP + 1];
    private byte[] bytes = {};
    private int at;

    Converted(Reader reader) {
      this.reader = reader;
    }

    @Override
    public int read() throws IOException {
      return fill() ? bytes[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
      if (!fill()) {
        return -1;
      }
      int length = Math.min(most, bytes.length - at);
      System.arraycopy(bytes, at, into, from, length);
      at += length;
      return length;
    }

    /** Whether there is another byte. */
    private boolean fill() throws IOException {
      if (at < bytes.length) {
        return true;
      }
      int length = reader.read(letters, 0, STEP);
      if (length < 0) {
        return false;
      }
      if (Character.isHighSurrogate(letters[length - 1])) {
        // Both halves of a character belong together.
        length += Math.max(0, reader.read(letters, length, 1));
      }
      bytes = new String(letters, 0, length).getBytes(StandardCharsets.UTF_8);
      at = 0;
      return true;
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }
}
