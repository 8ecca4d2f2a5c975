/**
 * Runs commands and fetches files on this or another machine. Independent of Xen. Every command is
 * a list of words; shell lines are built only by {@link Command#quoted}.
 */
package io.slicewise.ssh;
