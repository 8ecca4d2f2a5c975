package io.slicewise.workload;

import io.slicewise.base.units.ExitCode;
import io.slicewise.base.units.SlicewiseException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import org.apache.jmeter.save.CSVSaveService;

/** A trial's samples, row by row, for what a reduction does not keep. */
final class SampleRows {
  private SampleRows() {}

  /** One whole row. */
  record Row(List<String> header, List<String> values) {
    /** The column's value; empty where the file has no such column. */
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

  /** Hands over every whole row, in the file's order. */
  static void read(Path samples, Consumer<Row> reader) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(samples)), StandardCharsets.UTF_8))) {
      List<String> header = row(lines);
      for (List<String> row = row(lines); !row.isEmpty(); row = row(lines)) {
        if (row.size() >= header.size()) {
          reader.accept(new Row(header, row));
        }
      }
    } catch (IOException fault) {
      throw new SlicewiseException(
          ExitCode.NO_VALID_DATA,
          "the samples in " + samples + " cannot be read: " + fault.getMessage(),
          "",
          fault);
    }
  }

  /** Empty at the file's end. */
  private static List<String> row(BufferedReader lines) throws IOException {
    return List.of(CSVSaveService.csvReadFile(lines, ','));
  }
}
