package io.slicewise.workload;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;

/** The samples of a trial, row by row, for values that a reduction does not keep. */
final class SampleRows {
  private SampleRows() {}

  /** One complete row. */
  record Row(List<String> header, List<String> values) {
    /** The column's value; empty if the file has no such column. */
    String text(String column) {
      int at = header.indexOf(column);
      return at < 0 ? "" : values.get(at);
    }

    long start() {
      return Long.parseLong(text("timeStamp"));
    }

    long elapsed() {
      return Long.parseLong(text("elapsed"));
    }

    long end() {
      return start() + elapsed();
    }

    Instant ended() {
      return Instant.ofEpochMilli(end());
    }
  }

  /** Passes every complete row to {@code reader}, in the order of the file. */
  static void read(Path samples, Consumer<Row> reader) {
    try (CsvReader<CsvRecord> rows =
        CsvReader.builder()
            .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
            .missingFieldStrategy(FieldMismatchStrategy.SKIP)
            .ofCsvRecord(new GZIPInputStream(Files.newInputStream(samples)))) {
      Iterator<CsvRecord> each = rows.iterator();
      List<String> header = each.hasNext() ? each.next().getFields() : List.of();
      each.forEachRemaining(row -> reader.accept(new Row(header, row.getFields())));
    } catch (IOException | UncheckedIOException | CsvParseException fault) {
      throw new SlicewiseException(
          ErrorKind.NO_VALID_DATA,
          "the samples in %s cannot be read: %s".formatted(samples, FileFault.reason(fault)),
          "",
          fault);
    }
  }
}
