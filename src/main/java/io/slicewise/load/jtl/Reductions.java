package io.slicewise.load.jtl;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.InputFile;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Window;
import io.slicewise.load.jtl.DamageLog.DamageKind;
import io.slicewise.load.jtl.Format.Intake;
import io.slicewise.load.jtl.Format.ReaderLimits;
import io.slicewise.load.jtl.Format.Scanner;
import io.slicewise.load.jtl.GeneratorSamples.SampleCount;
import io.slicewise.load.jtl.Kinship.Roles;
import io.slicewise.load.jtl.text.Chunk;
import io.slicewise.load.jtl.text.Chunk.Feed;
import io.slicewise.load.jtl.text.CsvColumns;
import io.slicewise.load.jtl.text.DateStamp;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.SequenceInputStream;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Reduces JMeter's result files: CSV or XML, plain or gzipped, recognized by their first bytes. */
public final class Reductions {
  private static final int HEAD = 1 << 16;
  private static final long BYTES_A_THREAD = 1L << 30;

  private Reductions() {}

  /**
   * Reduces the samples inside a window.
   *
   * @throws SlicewiseException if the file or all of its samples cannot be read
   */
  public static Reduction reduce(Path file, Window window, ReductionOptions options) {
    return reduce(file, Optional.of(window), options, ReaderLimits.STANDARD);
  }

  /**
   * Reduces the samples of several generators inside a window as if one file had them all: counts
   * add up and histograms are merged, so that percentiles are of all samples. Of the options,
   * columns, zone and threads are the standard's, as the generators write them.
   *
   * @throws SlicewiseException if there is no file, or one cannot be read or has no samples
   */
  public static Reduction reduce(
      List<GeneratorSamples> files, Window window, ReductionOptions options) {
    if (files.isEmpty()) {
      throw new IllegalArgumentException("no file to reduce");
    }
    Ledger all =
        new Ledger(
            Optional.of(window),
            options,
            ReaderLimits.STANDARD,
            UnaryOperator.identity(),
            Optional.empty());
    List<SampleSummary> each = new ArrayList<>();
    for (GeneratorSamples file : files) {
      Ledger its = file.count(LedgerCount.of(file.window(window), options));
      all.merge(its);
      each.add(its.total());
    }
    return all.reduction().of(each);
  }

  /**
   * Reduces all samples.
   *
   * @throws SlicewiseException if the file or all of its samples cannot be read
   */
  public static Reduction reduce(Path file, ReductionOptions options) {
    return reduce(file, Optional.empty(), options, ReaderLimits.STANDARD);
  }

  static Reduction reduce(
      Path file, Optional<Window> window, ReductionOptions options, ReaderLimits limits) {
    return ledger(file, window, options, limits).reduction();
  }

  static Ledger ledger(
      Path file, Optional<Window> window, ReductionOptions options, ReaderLimits limits) {
    try {
      byte[] head = head(file);
      Packed.refuse(file, head);
      boolean gzipped = isGzipped(new ByteArrayInputStream(head));
      Ledger ledger =
          gzipped || Encoding.other(head).isPresent()
              ? streamed(file, window, options, limits)
              : plain(file, Format.of(head, options, limits), window, options, limits);
      if (head.length == 0 || ledger.sound() == 0) {
        refuseNothing(file, head.length == 0, window.isPresent(), ledger);
      }
      return ledger;
    } catch (IOException failure) {
      throw FileFault.unreadable(file, failure);
    }
  }

  /** Whether a stream, which is not moved, begins like gzip. */
  private static boolean isGzipped(InputStream raw) throws IOException {
    raw.mark(2);
    boolean gzipped = raw.read() == 0x1f && raw.read() == 0x8b;
    raw.reset();
    return gzipped;
  }

  private static byte[] head(Path file) throws IOException {
    InputFile.requireRegular(file);
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(HEAD);
    }
  }

  /** One thread per started gigabyte: below that, a second thread costs more than it saves. */
  private static int threads(Path file, ReductionOptions options) throws IOException {
    if (options.threads() > 0) {
      return options.threads();
    }
    long worthwhile = Files.size(file) / BYTES_A_THREAD + 1;
    return (int) Math.min(worthwhile, Runtime.getRuntime().availableProcessors());
  }

  private static Ledger plain(
      Path file,
      Format format,
      Optional<Window> window,
      ReductionOptions options,
      ReaderLimits limits)
      throws IOException {
    FileParts parts = new FileParts(file, format, window, options, limits);
    Ledger first = parts.reduce(threads(file, options));
    if (!first.needsRoles()) {
      return first;
    }
    Kinship kinship = new Kinship(options.counted(), format.decoder());
    parts.read(kinship);
    Ledger ledger =
        new Ledger(window, options, limits, format.decoder(), Optional.of(kinship.roles()));
    parts.read(ledger);
    return ledger;
  }

  private static Ledger streamed(
      Path file, Optional<Window> window, ReductionOptions options, ReaderLimits limits)
      throws IOException {
    Ledger first =
        stream(
            file,
            format -> new Ledger(window, options, limits, format.decoder(), Optional.empty()),
            options,
            limits);
    if (!first.needsRoles()) {
      return first;
    }
    Kinship kinship =
        stream(file, format -> new Kinship(options.counted(), format.decoder()), options, limits);
    Optional<Roles> roles = Optional.of(kinship.roles());
    return stream(
        file,
        format -> new Ledger(window, options, limits, format.decoder(), roles),
        options,
        limits);
  }

  /** Passes a file to an intake that is compressed or in another encoding. */
  private static <T extends Intake> T stream(
      Path file, Function<Format, T> intakes, ReductionOptions options, ReaderLimits limits)
      throws IOException {
    try (InputStream raw = new BufferedInputStream(Files.newInputStream(file), HEAD);
        Compressed inflated =
            new Compressed(isGzipped(raw) ? new GZIPInputStream(raw, HEAD) : raw);
        InputStream text = Encoding.inUtf8(inflated.readNBytes(HEAD), inflated)) {
      byte[] head = text.readNBytes(HEAD);
      Packed.refuse(file, head);
      Format format = Format.of(head, options, limits);
      T intake = intakes.apply(format);
      Feed feed = new SequenceInputStream(new ByteArrayInputStream(head), text)::read;
      Scanner scanner = format.scanner(new Chunk(feed, 0, limits.chunk()), intake, options, limits);
      scanner.scan(Long.MAX_VALUE);
      if (inflated.broken()) {
        intake.damage().note(DamageKind.CUT_GZIP, scanner.line());
      }
      return intake;
    }
  }

  /** Whether a kind is the only damage. */
  private static boolean only(DamageKind kind, Ledger ledger) {
    List<Reduction.Damage> damage = ledger.damage().report();
    return !damage.isEmpty() && damage.stream().allMatch(one -> one.kind().equals(kind.text()));
  }

  /** Whether a file has a column of times, none of which can be read. */
  private static boolean unreadableStamps(Ledger ledger) {
    return ledger.damage().report().stream()
        .anyMatch(kind -> kind.kind().equals(DamageKind.BAD_STAMP.text()));
  }

  /** Rejects a file without samples, except a valid one of a window. */
  private static void refuseNothing(Path file, boolean empty, boolean windowed, Ledger ledger)
      throws IOException {
    boolean sound = ledger.damage().report().isEmpty();
    if (windowed && sound && !empty) {
      return;
    }
    Contents contents = Contents.of(file);
    String damage =
        ledger.damage().report().stream()
            .map(
                each ->
                    each.count() + " × " + each.kind() + " from line " + each.firstLines().get(0))
            .collect(Collectors.joining("; "));
    boolean oddRoot = !contents.root().isEmpty() && !contents.root().equals(Format.Xml.ROOT);
    String why =
        empty
            ? "it is empty"
            : oddRoot
                ? "it is XML, but not of JMeter: its root element is %s and not %s"
                    .formatted(contents.root(), Format.Xml.ROOT)
                : contents.binary()
                    ? "it is no text"
                    : contents.returns()
                        ? "its lines end with carriage returns alone"
                        : contents.closed()
                            ? "its root element has none"
                            : sound ? "it has no rows" : damage;
    throw new SlicewiseException(
        ErrorKind.NO_VALID_DATA,
        file + " contains no readable sample: " + why,
        oddRoot || empty || contents.binary() || (sound && !contents.returns())
            ? "Name a result file of JMeter, CSV or XML."
            : contents.returns() ? "Convert the line ends (mac2unix)." : hint(contents, ledger));
  }

  private static String hint(Contents contents, Ledger ledger) {
    String columns =
        contents.header().isPresent()
            ? "Each row needs the header's %d fields; a field with a line feed or a delimiter must be in quotes."
                .formatted(contents.header().get().count())
            : "For a CSV file without a header line, specify the columns, as in --columns"
                + " timeStamp,elapsed,label.";
    if (only(DamageKind.UNTIMED, ledger)) {
      return "Its response codes show why: a URL may be malformed.";
    }
    if (!contents.root().isEmpty()) {
      return "Samples need the attributes t and ts.";
    }
    return only(DamageKind.LASTING, ledger)
        ? "Durations are read as milliseconds; check their unit."
        : unreadableStamps(ledger)
            ? "Timestamps are milliseconds since 1970 or dates such as %s. %s"
                .formatted(DateStamp.EXAMPLES, columns)
            : columns;
  }

  /**
   * What a file without samples consists of.
   *
   * @param root its root element; empty if it is no XML
   * @param closed whether it is XML of an empty root element
   * @param binary whether it has control characters as no text has them; a crash leaves NUL bytes
   * @param returns whether its lines end with carriage returns alone
   */
  private record Contents(
      String root, boolean closed, boolean binary, boolean returns, Optional<CsvColumns> header) {
    static Contents of(Path file) throws IOException {
      try (InputStream raw = new BufferedInputStream(Files.newInputStream(file), HEAD);
          Compressed inflated =
              new Compressed(isGzipped(raw) ? new GZIPInputStream(raw, HEAD) : raw);
          InputStream utf8 = Encoding.inUtf8(inflated.readNBytes(HEAD), inflated)) {
        String text = new String(utf8.readNBytes(HEAD), StandardCharsets.ISO_8859_1);
        String root = text.contains("<") ? Format.Xml.root(text) : "";
        return new Contents(
            root,
            Pattern.compile("<" + Pattern.quote(root) + "[^<>]*/>\\s*$").matcher(text).find(),
            text.chars().anyMatch(c -> (c > 0 && c < '\t') || (c > '\r' && c < ' ' && c != 0x1b)),
            text.indexOf('\r') >= 0 && text.indexOf('\n') < 0,
            CsvColumns.header(text.lines().findFirst().orElse("")));
      }
    }
  }

  /** Bytes from a stream; a truncated or broken gzip stream ends there and reports it. */
  static final class Compressed extends FilterInputStream {
    private boolean broken;

    Compressed(InputStream stream) {
      super(stream);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int at, int most) throws IOException {
      if (broken) {
        return -1;
      }
      try {
        return in.read(into, at, most);
      } catch (EOFException | ZipException damage) {
        broken = true;
        return -1;
      }
    }

    boolean broken() {
      return broken;
    }
  }

  /** The reduction of one generator's samples, before it is merged with those of others. */
  record LedgerCount(
      Window window,
      ReductionOptions.Attribution attribution,
      ReductionOptions.Counted counted,
      Set<String> totalLabels)
      implements SampleCount<Ledger> {
    static LedgerCount of(Window window, ReductionOptions options) {
      return new LedgerCount(
          window, options.attribution(), options.counted(), options.totalLabels());
    }

    @Override
    public Ledger of(Path samples) {
      ReductionOptions options =
          ReductionOptions.standard()
              .attributed(attribution)
              .counting(counted)
              .totalling(totalLabels);
      return Reductions.ledger(samples, Optional.of(window), options, ReaderLimits.STANDARD);
    }

    @Override
    public Class<Ledger> type() {
      return Ledger.class;
    }
  }

  /**
   * The encoding that an XML file declares. The scanners read UTF-8, others are converted to it.
   */
  static final class Encoding {
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
}
