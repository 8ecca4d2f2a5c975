/**
 * Running commands and fetching files on this or another machine. Knows nothing of Xen. Every
 * command is a list of words; the only place that builds a shell line is {@link Command#quoted}.
 */
package io.slicewise.ssh;
