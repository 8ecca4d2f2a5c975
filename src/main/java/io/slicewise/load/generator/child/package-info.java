/**
 * The program inside the generator's JVM: one run of one JMeter plan, controlled by lines on its
 * standard input and reporting by lines on its standard output. Only this package uses JMeter's
 * engine, whose state is static and which may call {@code System.exit}.
 */
package io.slicewise.load.generator.child;
