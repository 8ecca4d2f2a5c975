package io.slicewise.workload;

import io.slicewise.units.ExitCode;
import io.slicewise.units.SlicewiseException;
import io.slicewise.units.Window;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.apache.jmeter.save.CSVSaveService;

/**
 * The mean CPU times that guests told for the sorts of one label, in milliseconds; {@code NaN} when
 * none was told.
 */
record CpuTimes(long sorts, double userMillis, double systemMillis) {
  static final CpuTimes NONE = new CpuTimes(0, Double.NaN, Double.NaN);

  double seconds() {
    return (userMillis + systemMillis) / 1000;
  }

  private CpuTimes with(double user, double system) {
    double before = (double) sorts / (sorts + 1);
    double share = 1.0 / (sorts + 1);
    return sorts == 0
        ? new CpuTimes(1, user, system)
        : new CpuTimes(
            sorts + 1, userMillis * before + user * share, systemMillis * before + system * share);
  }

  /** By label, of the sorts that ended inside the window. */
  static Map<String, CpuTimes> read(Path samples, Window window) {
    Map<String, CpuTimes> times = new LinkedHashMap<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(samples)), StandardCharsets.UTF_8))) {
      List<String> header = row(lines);
      for (List<String> row = row(lines); !row.isEmpty(); row = row(lines)) {
        add(times, header, row, window);
      }
      return times;
    } catch (IOException fault) {
      throw new SlicewiseException(
          ExitCode.NO_VALID_DATA,
          "the CPU times in " + samples + " cannot be read: " + fault.getMessage(),
          "",
          fault);
    }
  }

  /** Empty at the file's end. */
  private static List<String> row(BufferedReader lines) throws IOException {
    return List.of(CSVSaveService.csvReadFile(lines, ','));
  }

  private static void add(
      Map<String, CpuTimes> times, List<String> header, List<String> row, Window window) {
    if (row.size() < header.size() || row.get(header.indexOf(SortSampler.USER)).isEmpty()) {
      return;
    }
    Instant ended =
        Instant.ofEpochMilli(
            Long.parseLong(row.get(header.indexOf("timeStamp")))
                + Long.parseLong(row.get(header.indexOf("elapsed"))));
    if (window.contains(ended)) {
      times.merge(
          row.get(header.indexOf("label")),
          NONE.with(value(header, row, SortSampler.USER), value(header, row, SortSampler.SYSTEM)),
          (before, one) -> before.with(one.userMillis, one.systemMillis));
    }
  }

  private static double value(List<String> header, List<String> row, String column) {
    return Double.parseDouble(row.get(header.indexOf(column)));
  }
}
