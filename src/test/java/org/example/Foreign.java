package org.example;

import org.apache.jmeter.config.ConfigTestElement;

/** An element that is not JMeter's. */
public final class Foreign extends ConfigTestElement {
  private static final long serialVersionUID = 1L;
}
