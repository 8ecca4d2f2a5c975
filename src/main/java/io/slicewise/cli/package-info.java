/** One class a command, and the screens. The only room that prints. */
package io.slicewise.cli;
