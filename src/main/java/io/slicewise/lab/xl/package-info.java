/**
 * {@code xl} as Xen 4.1 to 4.22 ship it: the arguments, output and exit codes of each version,
 * including its quirks.
 */
package io.slicewise.lab.xl;
