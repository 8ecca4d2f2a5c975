package io.slicewise.load.jtl;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Archives and compressed files that are not read, recognized by their first bytes. */
enum Packed {
  ZIP(0, "PK\u0003\u0004", "a zip archive", "unzip"),
  XZ(0, "\u00fd7zXZ", "compressed by xz", "unxz"),
  BZIP2(0, "BZh", "compressed by bzip2", "bunzip2"),
  ZSTD(0, "(\u00b5/\u00fd", "compressed by zstd", "unzstd"),
  COMPRESS(0, "\u001f\u009d", "compressed by compress", "uncompress"),
  LZ4(0, "\u0004\"M\u0018", "compressed by lz4", "unlz4"),
  SEVEN_ZIP(0, "7z\u00bc\u00af", "a 7-zip archive", "7z x"),
  TAR(257, "ustar", "a tar archive", "tar -xf");

  private final int at;
  private final String mark;
  private final String what;
  private final String command;

  Packed(int at, String mark, String what, String command) {
    this.at = at;
    this.mark = mark;
    this.what = what;
    this.command = command;
  }

  /** Refuses a file that begins like this, or whose contents do after gzip. */
  static void refuse(Path file, byte[] head) {
    String text = new String(head, StandardCharsets.ISO_8859_1);
    for (Packed packed : values()) {
      if (text.startsWith(packed.mark, packed.at)) {
        throw new SlicewiseException(
            ErrorKind.NO_VALID_DATA,
            file + " is " + packed.what + ", which is not read",
            "Unpack it (" + packed.command + "); CSV and XML are read plain or gzipped.");
      }
    }
  }
}
