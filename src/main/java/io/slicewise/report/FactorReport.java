package io.slicewise.report;

import io.slicewise.evidence.effects.FactorEffect;
import io.slicewise.evidence.effects.FactorEffects;
import io.slicewise.experiment.load.Axis;
import io.slicewise.report.figure.EffectFigures;
import io.slicewise.report.page.PageInput.PageStudy;
import io.slicewise.report.table.Cell;
import io.slicewise.report.table.Html;
import io.slicewise.report.table.Table;
import io.slicewise.report.table.Table.Column;
import io.slicewise.report.table.TableBuilder;
import io.slicewise.stats.Effect.Change;

/** The effects of factors as a table, and as a section of the page. */
final class FactorReport {
  private FactorReport() {}

  static Table table(FactorEffects effects) {
    TableBuilder<FactorEffect> table =
        TableBuilder.of(effects.all())
            .load(Axis.of(effects.all().stream().map(FactorEffect::load)), FactorEffect::load)
            .name("metric", effect -> effect.metric().key())
            .name("effect", effect -> effect.name().factor())
            .name("levels", effect -> effect.name().levels())
            .change(
                "change %",
                "percent", effect -> new Change(effect.percent(), effect.low(), effect.high()))
            .number("df", "degrees_of_freedom", 1, FactorEffect::degreesOfFreedom)
            .column(Column.number("p"), effect -> new Cell.Probability(effect.p()))
            .column(
                Column.number("adjusted p", "adjusted_p"),
                effect -> new Cell.Probability(effect.adjustedP()))
            .name("grade", effect -> effect.grade().words());
    if (effects.factors().fraction().isPresent()) {
      table.column(
          new Column("aliased with", "aliased_with", Table.Type.NAME),
          effect -> new Cell.Text(effect.name().aliases()));
    }
    return table.table(
        "effects",
        effects.all().stream().allMatch(effect -> Double.isNaN(effect.low()))
            ? "Effects of factors, without intervals: too little was measured for them"
            : "Effects of factors, with 95 %% intervals; p adjusted by Holm over all effects in %s"
                .formatted(effects.primary().key()));
  }

  static PageStudy section(FactorEffects effects) {
    Html page = new Html();
    page.list("ul", effects.sentences().stream().map(Html::typeset).toList())
        .raw(StudyPage.figures(EffectFigures.of(effects)));
    return new PageStudy("Factors", "", page.toString());
  }
}
