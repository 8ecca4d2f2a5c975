package io.slicewise.load.generator.child.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.apache.jmeter.protocol.http.sampler.hc.LaxDeflateInputStream;
import org.apache.jmeter.protocol.http.sampler.hc.LaxGZIPInputStream;
import org.apache.jmeter.util.JMeterUtils;
import org.brotli.dec.BrotliInputStream;

/** A compressed body; its decoders read the first bytes only when they are needed. */
final class Decoded extends InputStream {
  private static final boolean LAX_GZIP =
      JMeterUtils.getPropDefault("httpclient4.gzip_relax_mode", false);
  private static final boolean LAX_DEFLATE =
      JMeterUtils.getPropDefault("httpclient4.deflate_relax_mode", false);

  private final Packed packed;
  private final List<String> codings;
  private InputStream unpacked;
  private boolean isReceived;

  /** The body as it is received. */
  private static final class Packed extends FilterInputStream {
    private boolean isBroken;

    Packed(InputStream body) {
      super(body);
    }

    @Override
    public int read() throws IOException {
      try {
        return super.read();
      } catch (IOException fault) {
        isBroken = true;
        throw fault;
      }
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      try {
        return super.read(target, offset, length);
      } catch (IOException fault) {
        isBroken = true;
        throw fault;
      }
    }
  }

  /**
   * @param codings in the order in which they were applied
   */
  Decoded(InputStream body, List<String> codings) {
    packed = new Packed(body);
    this.codings = codings;
  }

  private InputStream unpacked() throws IOException {
    if (unpacked == null) {
      InputStream stream = packed;
      for (String coding : codings) {
        stream =
            switch (coding) {
              case "br" -> new BrotliInputStream(stream);
              case "deflate" -> new LaxDeflateInputStream(stream, LAX_DEFLATE);
              default -> new LaxGZIPInputStream(stream, LAX_GZIP);
            };
      }
      unpacked = stream;
    }
    return unpacked;
  }

  /** Whether all of the body was received, even if it could not be unpacked. */
  boolean isReceived() {
    return isReceived;
  }

  @Override
  public int read() throws IOException {
    return unpacked().read();
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    return unpacked().read(target, offset, length);
  }

  /** Receives what is left of the body. */
  @Override
  public void close() throws IOException {
    try {
      if (unpacked != null) {
        unpacked.close();
      }
    } finally {
      packed.close();
    }
    isReceived = !packed.isBroken;
  }
}
