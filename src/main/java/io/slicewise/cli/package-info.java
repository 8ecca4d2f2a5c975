/** The command line: one class per command, and the screens. The only package that prints. */
package io.slicewise.cli;
