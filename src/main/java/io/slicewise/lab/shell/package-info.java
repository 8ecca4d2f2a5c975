/**
 * The login shell of the embedded host's control domain: one line in, words and redirections out,
 * and the tools they start. What a real shell would do and this one cannot is refused, never
 * misread.
 */
package io.slicewise.lab.shell;
