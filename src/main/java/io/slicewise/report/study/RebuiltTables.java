package io.slicewise.report.study;

import io.slicewise.evidence.published.PublishedTables;
import io.slicewise.report.table.Table;
import io.slicewise.report.table.TableBuilder;
import java.util.List;

/** The derived cells of published tables, computed again from their inputs. */
final class RebuiltTables {
  private static final String FORMULA = "formula";

  private RebuiltTables() {}

  static Table of(List<PublishedTables.Table> checked) {
    return TableBuilder.of(
            checked.stream().filter(table -> table.asked().containsKey(FORMULA)).toList())
        .name("file", table -> String.valueOf(table.file().getFileName()))
        .count("recomputed", table -> table.asked().get(FORMULA))
        .count("deviating", table -> deviating(table).size())
        .table(
            "derived",
            "Derived cells, recomputed from their inputs",
            checked.stream().flatMap(table -> deviating(table).stream()).toList());
  }

  private static List<String> deviating(PublishedTables.Table table) {
    return table.violations().stream()
        .filter(one -> one.rule().equals(FORMULA))
        .map(one -> "deviates: " + one.message() + "; likely " + one.likelyCause())
        .toList();
  }
}
