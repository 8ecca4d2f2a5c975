/**
 * The program inside the generator's JVM: one run of one JMeter plan, steered by lines on its
 * standard input and reporting by lines on its standard output. The only place that touches
 * JMeter's engine, whose state is static and whose end may be {@code System.exit}.
 */
package io.slicewise.load.generator.child;
