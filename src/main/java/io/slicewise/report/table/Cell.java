package io.slicewise.report.table;

import io.slicewise.base.units.NumberText;
import io.slicewise.stats.Effect;
import io.slicewise.stats.Estimate;
import java.util.List;

/** A cell of a table. */
public sealed interface Cell {
  /** Returns the text on screens; a dash if the value is unknown. */
  String shown();

  /** Returns the CSV fields in full precision, one for each of its column's suffixes. */
  List<String> fields();

  /** Returns the number by which a page sorts; empty for text. */
  default String sortKey() {
    return "";
  }

  /** Returns whether a table marks it as belonging to the best set. */
  default boolean best() {
    return false;
  }

  /** A text, possibly a number as a table prints it. */
  record Text(String shown, @Override boolean best) implements Cell {
    public Text(String shown) {
      this(shown, false);
    }

    @Override
    public List<String> fields() {
      return List.of(Csv.text(shown));
    }
  }

  /** A count. */
  record Count(long value) implements Cell {
    @Override
    public String shown() {
      return String.valueOf(value);
    }

    @Override
    public List<String> fields() {
      return List.of(shown());
    }

    @Override
    public String sortKey() {
      return shown();
    }
  }

  /** A cell whose value is one number; {@code NaN} if unknown. */
  sealed interface OneNumber extends Cell {
    double value();

    @Override
    default List<String> fields() {
      return List.of(Csv.number(value()));
    }

    @Override
    default String sortKey() {
      return String.valueOf(value());
    }
  }

  /** A number that files hold in full precision; {@code NaN} if unknown. */
  record Value(double value) implements OneNumber {
    @Override
    public String shown() {
      return NumberText.of(value);
    }
  }

  /** A number with a fixed number of decimals on screens; {@code NaN} if unknown. */
  record Fixed(double value, int digits) implements OneNumber {
    @Override
    public String shown() {
      return NumberText.fixed(value, digits).replaceFirst("^-(0\\.?0*)$", "$1");
    }
  }

  /** A p-value; {@code NaN} if nothing was tested. */
  record Probability(double value) implements OneNumber {
    @Override
    public String shown() {
      return ChangeText.p(value);
    }
  }

  /** A change in percent with its 95 % interval; {@code NaN} if unknown. */
  record Change(Effect.Change change) implements Cell {
    @Override
    public String shown() {
      return ChangeText.numbersIfKnown(change);
    }

    @Override
    public List<String> fields() {
      return List.of(
          Csv.number(change.percent()), Csv.number(change.low()), Csv.number(change.high()));
    }

    @Override
    public String sortKey() {
      return String.valueOf(change.percent());
    }
  }

  /**
   * An estimate with its interval, {@code 127.6 ±5.2}, from 10 on with one decimal at most.
   *
   * @param scale factor on screens (100 for percent); files keep the value
   * @param digits decimals on screens
   */
  record Measured(Estimate estimate, double scale, int digits) implements Cell {
    @Override
    public String shown() {
      double mean = estimate.mean() * scale;
      if (!Double.isFinite(mean)) {
        return NumberText.UNKNOWN;
      }
      int shown = Math.abs(mean) < 10 ? digits : Math.min(digits, 1);
      return NumberText.fixed(mean, shown)
          + " ±"
          + NumberText.fixed(estimate.halfWidth() * scale, shown);
    }

    @Override
    public List<String> fields() {
      return List.of(
          Csv.number(estimate.mean()),
          Csv.number(estimate.deviation()),
          Csv.number(estimate.low()),
          Csv.number(estimate.high()),
          String.valueOf(estimate.n()));
    }

    @Override
    public String sortKey() {
      return String.valueOf(estimate.mean());
    }
  }

  /** A cell without a value, allowed in columns of counts and numbers. */
  record Empty() implements Cell {
    @Override
    public String shown() {
      return NumberText.UNKNOWN;
    }

    @Override
    public List<String> fields() {
      return List.of("");
    }
  }
}
