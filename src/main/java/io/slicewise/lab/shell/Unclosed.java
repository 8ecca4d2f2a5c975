package io.slicewise.lab.shell;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** A stream that stays open when the command that writes to it closes it. */
final class Unclosed extends FilterOutputStream {
  Unclosed(OutputStream stream) {
    super(stream);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    out.write(bytes, offset, length);
  }

  @Override
  public void close() throws IOException {
    flush();
  }
}
