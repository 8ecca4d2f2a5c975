package io.slicewise.cli.screens;

import io.slicewise.cli.screens.ReductionScreen.ReducedFile;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.load.jtl.SampleSummary;
import io.slicewise.report.table.Csv;
import java.util.List;

/**
 * Reductions as CSV (RFC 4180): one row per label and one for the total; unknown values are empty.
 */
public final class ReductionCsv {
  private static final String HEADER =
      "file,label,samples,failed,requests_per_second,mean_ms,sd_ms,p50_ms,p95_ms,p99_ms,"
          + "min_ms,max_ms,received_bytes,sent_bytes\r\n";

  private ReductionCsv() {}

  public static String text(List<ReducedFile> files) {
    StringBuilder text = new StringBuilder(HEADER);
    for (ReducedFile file : files) {
      for (SampleSummary label : file.reduction().labels()) {
        append(text, file, label);
      }
      append(text, file, file.reduction().total());
    }
    return text.toString();
  }

  private static void append(StringBuilder text, ReducedFile file, SampleSummary summary) {
    Reduction reduction = file.reduction();
    text.append(Csv.text(file.file())).append(',').append(Csv.text(summary.label()));
    text.append(',').append(summary.samples()).append(',').append(summary.failed());
    for (double value :
        new double[] {
          reduction.ratePerSecond(summary),
          summary.responseTimes().mean(),
          summary.responseTimes().deviation(),
          summary.percentileMillis(50),
          summary.percentileMillis(95),
          summary.percentileMillis(99)
        }) {
      text.append(',').append(Csv.number(value));
    }
    boolean any = summary.samples() > 0;
    text.append(',').append(any ? String.valueOf(summary.responseTimes().smallest()) : "");
    text.append(',').append(any ? String.valueOf(summary.responseTimes().largest()) : "");
    text.append(',').append(summary.receivedBytes()).append(',').append(summary.sentBytes());
    text.append("\r\n");
  }
}
