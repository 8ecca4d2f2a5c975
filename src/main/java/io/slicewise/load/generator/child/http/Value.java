package io.slicewise.load.generator.child.http;

import org.apache.jmeter.testelement.property.FunctionProperty;
import org.apache.jmeter.testelement.property.JMeterProperty;

/**
 * A text of the plan: fixed, or made of functions and variables and therefore evaluated whenever it
 * is needed.
 */
final class Value {
  private final String fixed;
  private final FunctionProperty live;

  private Value(String fixed, FunctionProperty live) {
    this.fixed = fixed;
    this.live = live;
  }

  /**
   * @param property null if the element does not have it
   */
  static Value of(JMeterProperty property, String otherwise) {
    if (property instanceof FunctionProperty function) {
      return new Value("", function);
    }
    String text = property == null ? null : property.getStringValue();
    return new Value(text == null ? otherwise : text, null);
  }

  boolean isFixed() {
    return live == null;
  }

  String get() {
    return live == null ? fixed : live.getStringValue();
  }

  /** Returns the number as JMeter reads it: 0 for anything else. */
  int number() {
    String text = get();
    if (text == null || text.isEmpty()) {
      return 0;
    }
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException other) {
      return 0;
    }
  }
}
